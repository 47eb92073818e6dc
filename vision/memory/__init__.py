"""What is kept of a fixed table: its place, its dice, its camera. Learns nothing."""
