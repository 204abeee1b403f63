"""The operators' work over batches, one module a family; ``by_step.py`` chooses by the plan."""
