"""Serving: the server and what all pages share - files, language, answers, streams. Owns no page."""
