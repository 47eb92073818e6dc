"""The pages of what was played: games, statistics, reviews, and their files."""
