"""The place Source: how a program gets in, and how the document leaves."""
