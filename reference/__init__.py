"""Generator of the documentation site's reference pages, from the tables of the code."""
