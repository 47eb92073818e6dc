"""Tests: one file per module, named as true sentences, plus whole-table tests."""
