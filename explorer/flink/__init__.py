"""Flink itself: its releases, its rules, its passes, in the order of its compiler."""
