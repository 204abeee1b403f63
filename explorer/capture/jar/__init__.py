"""Programs in a jar or on a class path."""
