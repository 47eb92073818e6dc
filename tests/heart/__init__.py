"""Tests of the rules, the game, the table, its journal and storage: they alone take every branch of these."""
