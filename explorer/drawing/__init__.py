"""Drawings of compilations: what is shown, layouts, SVG, graphs as text, standalone pages."""
