"""Where dice lie: lids, trays, mats, ground; found, found again, and what is new there. Knows no numbers."""
