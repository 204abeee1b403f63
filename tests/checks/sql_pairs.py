"""For each rule on SQL plans a golden script that it finds something in, and one that is well."""

from typing import Final, NamedTuple, TypeAlias

from tests.capture.sql_advice import SCRIPTS
from tests.capture.sql_upgrades import UPGRADES

Name: TypeAlias = tuple[str, int] | str
"""A golden upgrade and its side, 0 old or 1 new; or one of the scripts with one job."""


class SqlPair(NamedTuple):
    """Two golden scripts."""

    bad: Name
    good: Name
    says: str
    """A part of what is said of the bad one."""

    @property
    def scripts(self) -> tuple[str, str]:
        """The text of the bad script and of the good one."""
        return script_called(self.bad), script_called(self.good)


def script_called(name: Name) -> str:
    """The text of a golden script."""
    if isinstance(name, str):
        return SCRIPTS[name]
    upgrade = next(one for one in UPGRADES if one.name == name[0])
    return (upgrade.old, upgrade.new)[name[1]]


SQL_PAIRS: Final = {
    "SQ01": SqlPair(("same", 0), ("compiled plan", 1), "GroupAggregate[5] has the generated ID"),
    "SQ02": SqlPair(
        ("uids", 0), ("compiled plan", 1), "The UID 5_group-aggregate of GroupAggregate[5]"
    ),
    "SQ03": SqlPair(
        ("same", 0), ("ttl", 1), "holds one accumulator row by group key and never removes"
    ),
    "SQ04": SqlPair(("upsert sink", 1), ("upsert sink", 0), "SinkMaterializer[7] holds every row"),
    "SQ05": SqlPair("other key, NONE", "same key, NONE", "(primary key [bidder], upsert key none)"),
    "SQ06": SqlPair("other key", "same key, FORCE", "ON CONFLICT DO DEDUPLICATE plans the same"),
    "SQ07": SqlPair(
        "distinct", "distinct, split", "'table.optimizer.distinct-agg.split.enabled' = 'true'"
    ),
    "SQ08": SqlPair(
        "interval without watermark", "interval join", "declare a WATERMARK for at_time0"
    ),
    "SQ09": SqlPair("window without end", "window", "and not by window_end"),
    "SQ10": SqlPair("session", "session, idle", "SET 'table.exec.source.idle-timeout' = '30 s'"),
    "SQ11": SqlPair("distinct", "distinct, mini-batch", "two-phase optimization"),
    "SQ12": SqlPair("random", "same key", "can not satisfy the determinism requirement"),
    "SQ13": SqlPair("lookup", "lookup, async", "set 'lookup.async' = 'true' in the WITH of"),
    "SQ14": SqlPair("lookup", "lookup, cached", "set 'lookup.cache' = 'PARTIAL', 'lookup.partial"),
}
"""By code."""
