"""Training of the small networks: data, recipes, scores. Not part of what is installed or run."""
