"""Runs of a JobGraph, on Spark or in this process, with the figures of Flink's UI."""
