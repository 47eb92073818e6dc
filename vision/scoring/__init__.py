"""Readings held against what is true. Not needed to read."""
