"""The command line: one module for each group of commands, and a table of all of them."""
