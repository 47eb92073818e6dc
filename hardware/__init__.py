"""Hardware: the panel of buttons and lamps, real and simulated, and the voice; knows no rules."""
