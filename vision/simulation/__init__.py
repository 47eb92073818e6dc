"""Drawing the simulated table: geometry, style, still scene, dice, throws; knows no reader."""
