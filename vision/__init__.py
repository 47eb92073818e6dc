"""Vision: cameras, lid, dice, colours, pips, calibration and the simulated table; knows no game."""
