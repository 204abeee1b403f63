"""Runs in the caller's own process: previews, traced runs and what is asked of them."""
