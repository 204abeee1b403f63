"""For each rule on SQL plans a golden script that it finds something in, and one that is well."""

from typing import Final, NamedTuple

from tests.capture.sql_upgrades import UPGRADES


class SqlPair(NamedTuple):
    """Two scripts, each by the name of a golden upgrade and its side: 0 old, 1 new."""

    bad: tuple[str, int]
    good: tuple[str, int]
    says: str
    """A part of what is said of the bad one."""

    @property
    def scripts(self) -> tuple[str, str]:
        """The text of the bad script and of the good one."""
        known = {one.name: (one.old, one.new) for one in UPGRADES}
        return known[self.bad[0]][self.bad[1]], known[self.good[0]][self.good[1]]


SQL_PAIRS: Final = {
    "SQ01": SqlPair(("same", 0), ("compiled plan", 1), "GroupAggregate[5] has the generated ID"),
    "SQ02": SqlPair(
        ("uids", 0), ("compiled plan", 1), "The UID 5_group-aggregate of GroupAggregate[5]"
    ),
    "SQ03": SqlPair(
        ("same", 0), ("ttl", 1), "holds one accumulator row by group key and never removes"
    ),
    "SQ04": SqlPair(("upsert sink", 1), ("upsert sink", 0), "SinkMaterializer[7] holds every row"),
}
"""By code."""
