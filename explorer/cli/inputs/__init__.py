"""Inputs of commands: a FILE in any form, its options, and the releases of both sides."""
