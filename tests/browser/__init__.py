"""Tests that drive real browsers."""
