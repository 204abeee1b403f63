"""What can be wrong with a source's input."""

from explorer.errors import ExplorerError


class SourceError(ExplorerError):
    """A source's rows cannot be read: says the file or the transformation, and the place in it."""
