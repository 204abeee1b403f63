"""Explanations: why an edge chains or not, what a task consists of, and fixes that are tried."""
