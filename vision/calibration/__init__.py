"""A fixed table: what is kept of it, and how it is learnt."""
