"""The one table: who sits there, the game and the series, what everybody shows at a moment."""
