"""A job that runs: its execution graph, and the figures that a cluster reports of it."""
