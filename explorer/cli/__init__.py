"""The commands of the command line, a module a group of them; ``explorer.cli`` lists them."""
