"""Figures that only developers want: an adversary, random wishes, browsers. Not installed."""
