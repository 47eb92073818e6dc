"""From what was seen of dice to a reading: certain, or what is in its way. Sees no pixels."""
