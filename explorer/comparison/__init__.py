"""Comparison of two versions of a program: which operators are the same, and what changed."""
