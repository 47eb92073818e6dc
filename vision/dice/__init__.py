"""Where dice are and what each shows: top faces, feet, numbers. Knows no certainty."""
