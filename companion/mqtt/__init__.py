"""MQTT: what a table tells a broker, and what it takes from one. Knows no pins, pixels or pages."""
