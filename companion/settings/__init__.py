"""The settings: what the owner wrote down, checked before anything starts. Drives nothing."""
