"""Data only, frozen: what goes into a pass and what comes out of it."""
