"""Reads the REST interface of a Flink cluster, and never writes to it.

Only GET is asked, no redirect is followed, and each answer has limits of size and time.
"""
