"""Pictures as they come: opened, measured as a whole. Knows no dice."""
