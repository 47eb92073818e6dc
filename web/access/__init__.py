"""Access: who may ask, from where, how often. Knows no page."""
