"""What the companion makes of vision: which camera, which calibration, a reading in words."""
