"""The error of a rehearsal that could not take place."""

from explorer.errors import ExplorerError


class RehearsalError(ExplorerError):
    """A rehearsal that gave no answer: bad arguments, no sandbox, a program without a job."""
