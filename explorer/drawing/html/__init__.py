"""Standalone pages and the content of notebooks."""
