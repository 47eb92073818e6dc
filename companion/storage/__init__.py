"""Storage: the files under the journal - database, write-ahead log, backups, lock. Knows no game."""
