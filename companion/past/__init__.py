"""Past: what the games of the journal tell, turn by turn and all together. Knows no pages."""
