"""Makes what people install: wheel, source archive, Debian package, and the list of what is inside."""
