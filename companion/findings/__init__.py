"""What was found of the box: one line a check, in the words of who looks. Checks nothing itself."""
