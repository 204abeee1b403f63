"""Pairs of SQL scripts: a job, and the changed job that starts from the first one's savepoint."""

from typing import Final, NamedTuple

_TABLES: Final = """\
CREATE TABLE bids (auction BIGINT, bidder BIGINT, price INT, dear DOUBLE, at_time TIMESTAMP(3),
  WATERMARK FOR at_time AS at_time - INTERVAL '1' SECOND)
WITH ('connector' = 'datagen', 'rows-per-second' = '200', 'fields.auction.min' = '1',
  'fields.auction.max' = '20', 'fields.bidder.min' = '1', 'fields.bidder.max' = '20');
CREATE TABLE people (id BIGINT, credit INT)
WITH ('connector' = 'datagen', 'rows-per-second' = '200', 'fields.id.min' = '1',
  'fields.id.max' = '20');
"""
_SINKS: Final = {
    "totals": "CREATE TABLE totals (k BIGINT, n BIGINT, s INT) WITH ('connector' = 'blackhole');\n",
    "wide": (
        "CREATE TABLE wide (k BIGINT, n BIGINT, s INT, top INT) WITH ('connector' = 'blackhole');\n"
    ),
    "doubles": (
        "CREATE TABLE doubles (k BIGINT, n BIGINT, s DOUBLE) WITH ('connector' = 'blackhole');\n"
    ),
    "keyed": (
        "CREATE TABLE keyed (k BIGINT, n BIGINT, s INT, PRIMARY KEY (k) NOT ENFORCED) "
        "WITH ('connector' = 'blackhole');\n"
    ),
}


class Upgrade(NamedTuple):
    """A pair of scripts, and what changes from the first to the second."""

    name: str
    change: str
    old: str
    new: str


def _script(sink: str, query: str, options: dict[str, str] | None = None) -> str:
    """A script with an insert that reads the two tables."""
    sets = "".join(f"SET '{key}' = '{value}';\n" for key, value in (options or {}).items())
    return f"{sets}{_TABLES}{_SINKS[sink]}INSERT INTO {sink} {query};\n"


_COUNT: Final = "SELECT auction, COUNT(*), SUM(price) FROM bids GROUP BY auction"
_CREDITS: Final = "SELECT id, COUNT(*), SUM(credit) FROM people GROUP BY id"
_JOIN: Final = (
    "SELECT bids.auction, people.id, people.credit FROM bids {join} JOIN people "
    "ON bids.bidder = people.id"
)
_TOP: Final = (
    "SELECT auction, bidder, price FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY auction "
    "ORDER BY price DESC) AS place FROM bids) WHERE place <= {limit}"
)
_FIRST: Final = (
    "SELECT auction, bidder, price FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY auction "
    "ORDER BY at_time {order}) AS place FROM bids) WHERE place = 1"
)
_WINDOWS: Final = (
    "SELECT auction, COUNT(*), {sum} FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(at_time), "
    "INTERVAL '{size}' SECOND)) GROUP BY auction, window_start, window_end"
)
_MINI_BATCH: Final = {
    "table.exec.mini-batch.enabled": "true",
    "table.exec.mini-batch.allow-latency": "1 s",
    "table.exec.mini-batch.size": "100",
}
_UIDS: Final = {"table.exec.uid.generation": "ALWAYS"}
_HINT: Final = "SELECT /*+ STATE_TTL('bids' = '1d') */"
_TOTALS: Final = f"INSERT INTO totals {_COUNT};"
_SET: Final = "EXECUTE STATEMENT SET BEGIN {inserts} END;\n"
_DISTINCT: Final = " INSERT INTO totals SELECT DISTINCT auction, bidder, price FROM bids;"


def _same_sink(name: str, change: str, old: str, new: str, sink: str = "totals") -> Upgrade:
    return Upgrade(name, change, _script(sink, old), _script(sink, new))


UPGRADES: Final = (
    _same_sink("same", "nothing", _COUNT, _COUNT),
    Upgrade(
        "aggregate added",
        "MAX(price) beside the sum",
        _script("totals", _COUNT),
        _script("wide", _COUNT.replace("SUM(price)", "SUM(price), MAX(price)")),
    ),
    Upgrade(
        "column type",
        "the sum of a DOUBLE instead of an INT",
        _script("totals", _COUNT),
        _script("doubles", _COUNT.replace("SUM(price)", "SUM(dear)")),
    ),
    _same_sink(
        "filter before",
        "a WHERE on the auction",
        _COUNT,
        _COUNT.replace("bids", "bids WHERE bidder > 3"),
    ),
    _same_sink("filter after", "a HAVING clause", _COUNT, f"{_COUNT} HAVING COUNT(*) > 3"),
    _same_sink(
        "literal",
        "the limit of a filter",
        _COUNT.replace("bids", "bids WHERE price > 3"),
        _COUNT.replace("bids", "bids WHERE price > 4"),
    ),
    _same_sink(
        "group key",
        "groups by another column of the same type",
        _COUNT,
        _COUNT.replace("auction", "bidder"),
    ),
    _same_sink(
        "join kind",
        "LEFT JOIN instead of INNER JOIN",
        _JOIN.format(join="INNER"),
        _JOIN.format(join="LEFT"),
    ),
    _same_sink(
        "join column",
        "the join's left side needs one column more",
        _JOIN.format(join="INNER"),
        _JOIN.format(join="INNER").replace("people.credit", "bids.price + people.credit"),
    ),
    _same_sink("rank limit", "5 rows instead of 3", _TOP.format(limit=3), _TOP.format(limit=5)),
    _same_sink(
        "deduplicate order",
        "the last row instead of the first",
        _FIRST.format(order="ASC"),
        _FIRST.format(order="DESC"),
    ),
    _same_sink(
        "window aggregate",
        "MAX instead of SUM: a column of the same type",
        _WINDOWS.format(sum="SUM(price)", size=1),
        _WINDOWS.format(sum="MAX(price)", size=1),
    ),
    Upgrade(
        "window column",
        "the sum of a DOUBLE in the window",
        _script("totals", _WINDOWS.format(sum="SUM(price)", size=1)),
        _script("doubles", _WINDOWS.format(sum="SUM(dear)", size=1)),
    ),
    _same_sink(
        "window size",
        "windows of 2 seconds instead of 1",
        _WINDOWS.format(sum="SUM(price)", size=1),
        _WINDOWS.format(sum="SUM(price)", size=2),
    ),
    Upgrade(
        "ttl",
        "table.exec.state.ttl of an hour where there was none",
        _script("totals", _COUNT),
        _script("totals", _COUNT, {"table.exec.state.ttl": "1 h"}),
    ),
    Upgrade(
        "ttl longer",
        "table.exec.state.ttl of two hours instead of one",
        _script("totals", _COUNT, {"table.exec.state.ttl": "1 h"}),
        _script("totals", _COUNT, {"table.exec.state.ttl": "2 h"}),
    ),
    _same_sink(
        "ttl hint",
        "a STATE_TTL hint at the aggregate",
        _COUNT,
        _COUNT.replace("SELECT", _HINT),
    ),
    Upgrade(
        "mini-batch",
        "mini-batches are enabled",
        _script("totals", _COUNT),
        _script("totals", _COUNT, _MINI_BATCH),
    ),
    _same_sink(
        "calc appears",
        "a WHERE in front of the aggregate, where there was no Calc",
        _CREDITS,
        _CREDITS.replace("people", "people WHERE credit > 3"),
    ),
    Upgrade(
        "calc appears with uids",
        "a Calc that moves the IDs of plan nodes behind it",
        _script("totals", _CREDITS, _UIDS),
        _script("totals", _CREDITS.replace("people", "people WHERE credit > 3"), _UIDS),
    ),
    Upgrade(
        "uids",
        "a filter, with UIDs of plan nodes in both jobs",
        _script("totals", _COUNT, _UIDS),
        _script("totals", _COUNT.replace("bids", "bids WHERE bidder > 3"), _UIDS),
    ),
    _same_sink(
        "upsert sink",
        "the sink groups by another column, its upserts are materialized",
        "SELECT auction, COUNT(*), MAX(price) FROM bids GROUP BY auction",
        "SELECT bidder, n, s FROM (SELECT auction, bidder, COUNT(*) AS n, MAX(price) AS s "
        "FROM bids GROUP BY auction, bidder)",
        sink="keyed",
    ),
    Upgrade(
        "insert added",
        "a second insert in the statement set",
        _TABLES + _SINKS["totals"] + _SET.format(inserts=_TOTALS),
        _TABLES + _SINKS["totals"] + _SET.format(inserts=_TOTALS + _DISTINCT),
    ),
    Upgrade(
        "column added",
        "a column of the source that no query reads",
        _script("totals", _COUNT),
        _script("totals", _COUNT).replace("dear DOUBLE,", "dear DOUBLE, more STRING,"),
    ),
    Upgrade(
        "compiled plan",
        "the plan that the first job compiled is executed",
        f"{_TABLES}{_SINKS['totals']}COMPILE AND EXECUTE PLAN '{{plan}}' FOR {_TOTALS}\n",
        f"{_TABLES}{_SINKS['totals']}EXECUTE PLAN '{{plan}}';\n",
    ),
)
"""The rest of both scripts is the same: ``{plan}`` is the path of a compiled plan's file."""
