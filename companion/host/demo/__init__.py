"""The demo: a short game of simulated players at a table of its own, for visitors. Touches no real game."""

from companion.host.demo.demo import Demo

__all__ = ["Demo"]
