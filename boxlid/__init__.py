"""What every room may import: how something is said as a kind and values. Knows no room and no words."""
