"""Pipelines built with chained calls, compilations that draw and explain: the public API."""
