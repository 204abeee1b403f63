"""PyFlink scripts."""
