"""The page: its five places, the graphs above them, a visitor's session, and the server."""
