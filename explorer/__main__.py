"""``python -m explorer``: the command line."""

import sys

INTERRUPTED = 130
"""Exit code after Ctrl-C, as of a process that SIGINT ends."""


def run() -> int:
    """Run the command in ``sys.argv`` and return its exit code."""
    try:
        # Imported here: Ctrl-C while modules are imported prints no traceback either.
        from explorer.cli.main import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
