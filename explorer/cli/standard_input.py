"""Standard input, read within a limit."""

import sys


def stdin_bytes(most: int) -> bytes:
    """Standard input, to one byte beyond ``most``; nothing where it was closed."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read(most + 1)
