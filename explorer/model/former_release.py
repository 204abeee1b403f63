"""The former name of a record's ``flink_version``, which works for one release."""


class FormerRelease:
    """A record with ``flink_version``, whose former name was ``flink``."""

    __slots__ = ()
    flink_version: str

    @property
    def flink(self) -> str:
        """The former name of ``flink_version``."""
        return self.flink_version
