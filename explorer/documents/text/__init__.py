"""Documents as JSON and YAML text: parsing, writing, and the lines of their members."""
