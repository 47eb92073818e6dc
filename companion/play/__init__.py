"""Judging positions: many games at once, what a choice is worth, players of its own. Knows no screen.

The rules in `companion.rules` and `companion.game` stay the judge; what is here only thinks.
"""
