"""The operators' work over batches, one module a family; ``making.py`` chooses by the plan."""
