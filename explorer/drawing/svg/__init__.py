"""Drawings as SVG, and their colours."""
