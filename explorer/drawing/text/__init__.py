"""Graphs as text or as objects of other libraries: DOT, Mermaid, networkx."""
