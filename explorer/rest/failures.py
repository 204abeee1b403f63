"""Why a cluster told nothing: each a sentence that says what to do."""

from explorer.errors import ExplorerError


class ClusterError(ExplorerError):
    """A cluster cannot be asked, or does not answer as a cluster does."""


class NotThereError(ClusterError):
    """The cluster answers, and has no such thing."""
