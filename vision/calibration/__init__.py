"""Learning a fixed table from two pictures. What is kept of it is in vision/memory."""
