"""What differs from release to release for a program that moves: API, options, bugs, windows."""
