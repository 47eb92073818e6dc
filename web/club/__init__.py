"""The pages of a club: many tables live, evenings and seasons, tournaments."""
