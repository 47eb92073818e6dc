"""Web: pages for phones, table display and set-up; they draw what the server says is legal."""
