"""Checks: what is well with the box, what is not, and what to do. They change nothing."""

from companion.findings.check import Check, State, note, ok, wrong

__all__ = ["Check", "State", "note", "ok", "wrong"]
