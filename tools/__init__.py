"""Tools: what developers run - drawings, pictures, figures, endurance. Not installed."""
