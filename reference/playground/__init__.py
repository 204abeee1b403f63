"""Builder of the explorer without a server: a folder for a static server, and one offline file."""
