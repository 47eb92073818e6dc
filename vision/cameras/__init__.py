"""Every camera, that it comes and goes, and whether something moves; not what is in a picture."""
