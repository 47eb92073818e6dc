"""The journal: what happened, on disk before anybody sees it, and going on after damage. Knows no rules."""
