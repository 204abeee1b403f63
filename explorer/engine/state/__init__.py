"""Keyed state of operators: places, accumulators, stored rows."""
