"""Which die is which: the colours of bodies, for all dice together. Knows no pips."""
