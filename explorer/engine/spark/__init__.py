"""Spark: its session and settings, the queue of runs, their stages, their files and failures."""
