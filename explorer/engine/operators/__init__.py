"""The operators: each module has a step, how it is planned, its work, its traits and its words."""
