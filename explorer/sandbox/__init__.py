"""Runs a foreign program where it reaches nothing but what it needs, and ends it with its parent.

``launching`` starts a program, ``supervisor`` is the process between it and this one, ``kernel``
has the calls of Linux. The latter two import nothing but Python's own library.
"""
