"""Comparisons of two results: explanations, checks, locks, matches, restores, plans, lessons."""
