"""Lookup of what an ID, a name or an error message belongs to."""
