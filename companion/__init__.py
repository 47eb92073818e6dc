"""Companion: the rules, the game as events, the table, the journal, and what joins all parts."""
