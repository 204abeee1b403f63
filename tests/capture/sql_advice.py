"""SQL scripts on both sides of the rules of ``check`` about SQL plans."""

from typing import Final

_TABLES: Final = """\
CREATE TABLE bids (auction BIGINT, bidder BIGINT, price INT, at_time TIMESTAMP(3),
  WATERMARK FOR at_time AS at_time - INTERVAL '1' SECOND) WITH ('connector' = 'datagen');
CREATE TABLE asks (auction BIGINT, seller BIGINT, at_time TIMESTAMP(3),
  WATERMARK FOR at_time AS at_time - INTERVAL '1' SECOND) WITH ('connector' = 'datagen');
CREATE TABLE plain (auction BIGINT, seller BIGINT, at_time TIMESTAMP(3))
  WITH ('connector' = 'datagen');
CREATE TABLE clocked (auction BIGINT, at_time TIMESTAMP(3), proc AS PROCTIME(),
  WATERMARK FOR at_time AS at_time) WITH ('connector' = 'datagen');
CREATE TABLE printed (a BIGINT, b BIGINT) WITH ('connector' = 'print');
CREATE TABLE few (auction BIGINT, bidder BIGINT, price INT)
  WITH ('connector' = 'datagen', 'number-of-rows' = '10');
CREATE TABLE by_bidder (bidder BIGINT, n BIGINT, s INT, PRIMARY KEY (bidder) NOT ENFORCED)
  WITH ('connector' = 'blackhole');
CREATE TABLE by_both (auction BIGINT, bidder BIGINT, n BIGINT,
  PRIMARY KEY (auction, bidder) NOT ENFORCED) WITH ('connector' = 'blackhole');
CREATE TABLE maps (a BIGINT, n BIGINT, m MULTISET<INT>) WITH ('connector' = 'blackhole');
CREATE TABLE waiting (auction BIGINT, seller BIGINT) WITH ('connector' = 'waiting');
CREATE TABLE offering (auction BIGINT, seller BIGINT) WITH ('connector' = 'both');
CREATE TABLE cached (auction BIGINT, seller BIGINT)
  WITH ('connector' = 'old', 'lookup.cache.max-rows' = '100', 'lookup.cache.ttl' = '1 h');
CREATE TABLE uncached (auction BIGINT, seller BIGINT) WITH ('connector' = 'old');
CREATE TABLE service (auction BIGINT, seller BIGINT, PRIMARY KEY (auction) NOT ENFORCED)
  WITH ('connector' = 'service');
CREATE TABLE pairs (a BIGINT, b BIGINT) WITH ('connector' = 'blackhole');
"""
_BY_BOTH: Final = (
    "SELECT bidder, n, s FROM (SELECT auction, bidder, COUNT(*) AS n, MAX(price) AS s FROM bids "
    "GROUP BY auction, bidder)"
)
_BY_BIDDER: Final = "SELECT bidder, COUNT(*), MAX(price) FROM {source} GROUP BY bidder"
_NONE: Final = {"table.exec.sink.upsert-materialize": "NONE"}
_WIDE: Final = {"parallelism.default": "4"}
_MINI_BATCH: Final = {
    "table.exec.mini-batch.enabled": "true",
    "table.exec.mini-batch.allow-latency": "1 s",
    "table.exec.mini-batch.size": "100",
}
_SPLIT: Final = {"table.optimizer.distinct-agg.split.enabled": "true"}
_DISTINCT: Final = "SELECT auction, COUNT(DISTINCT bidder) FROM bids GROUP BY auction"
_INTERVAL: Final = (
    "SELECT b.bidder, a.seller FROM {left} b JOIN {right} a ON b.auction = a.auction AND b.at_time "
    "BETWEEN a.at_time - INTERVAL '1' HOUR AND a.at_time"
)
_CAST: Final = "(SELECT auction, bidder, CAST(at_time AS TIMESTAMP(6)) AS at_time FROM bids)"
_WINDOWS: Final = (
    "SELECT auction, COUNT(*) FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(at_time), INTERVAL '1' "
    "HOUR)) GROUP BY auction, {window}"
)
_SESSION: Final = (
    "SELECT auction, COUNT(*) FROM {source} GROUP BY auction, SESSION({time}, INTERVAL '5' MINUTE)"
)
_OVER: Final = (
    "SELECT auction, SUM(price) OVER (PARTITION BY auction ORDER BY at_time RANGE BETWEEN {frame} "
    "AND CURRENT ROW) FROM bids"
)
_LOOKUP: Final = (
    "SELECT {hint} c.auction, d.seller FROM {left} AS c JOIN {table} FOR SYSTEM_TIME AS OF c.proc "
    "AS d ON c.auction = d.auction"
)
_COUNTED: Final = (
    "(SELECT auction, MAX(at_time) AS at_time, PROCTIME() AS proc FROM bids GROUP BY auction)"
)
_IN_SYNC: Final = "/*+ LOOKUP('table'='d', 'async'='false') */"


def _lookup(table: str, hint: str = "", left: str = "clocked", **options: str) -> str:
    """A lookup join with a table, with options of the table."""
    words = ", ".join(f"'{key}'='{value}'" for key, value in options.items())
    table = f"{table} /*+ OPTIONS({words}) */" if options else table
    return _script("pairs", _LOOKUP.format(hint=hint, left=left, table=table))


def _script(sink: str, query: str, *options: dict[str, str]) -> str:
    sets = "".join(f"SET '{key}' = '{value}';\n" for one in options for key, value in one.items())
    return f"{sets}{_TABLES}INSERT INTO {sink} {query};\n"


SCRIPTS: Final = {
    "other key": _script("by_bidder", _BY_BOTH),
    "other key, deduplicate": _script("by_bidder", f"{_BY_BOTH} ON CONFLICT DO DEDUPLICATE"),
    "other key, nothing": _script("by_bidder", f"{_BY_BOTH} ON CONFLICT DO NOTHING"),
    "other key, NONE": _script("by_bidder", _BY_BOTH, _NONE),
    "other key, FORCE": _script(
        "by_bidder", _BY_BOTH, {"table.exec.sink.upsert-materialize": "FORCE"}
    ),
    "same key": _script("by_bidder", _BY_BIDDER.format(source="bids")),
    "same key, NONE": _script("by_bidder", _BY_BIDDER.format(source="bids"), _NONE),
    "same key, FORCE": _script(
        "by_bidder",
        _BY_BIDDER.format(source="bids"),
        {"table.exec.sink.upsert-materialize": "FORCE"},
    ),
    "inserts alone, NONE": _script("by_bidder", "SELECT bidder, auction, price FROM bids", _NONE),
    "part of the key": _script(
        "by_both",
        "SELECT MAX(auction), bidder, COUNT(*) FROM bids GROUP BY bidder",
    ),
    "no key, NONE": _script("pairs", f"SELECT bidder, n FROM ({_BY_BOTH})", _NONE),  # noqa: S608
    "bounded": _script("by_bidder", _BY_BIDDER.format(source="few")),
    "distinct": _script("pairs", _DISTINCT, _WIDE),
    "distinct, mini-batch": _script("pairs", _DISTINCT, _WIDE, _MINI_BATCH),
    "distinct, split": _script("pairs", _DISTINCT, _WIDE, _MINI_BATCH, _SPLIT),
    "distinct, one subtask": _script("pairs", _DISTINCT),
    "distinct, no split": _script(
        "pairs",
        "SELECT auction, COUNT(DISTINCT bidder) + CAST(STDDEV_POP(price) AS BIGINT) FROM bids "
        "GROUP BY auction",
        _WIDE,
        _MINI_BATCH,
        _SPLIT,
    ),
    "distinct, collect": _script(
        "maps",
        "SELECT auction, COUNT(DISTINCT bidder), COLLECT(price) FROM bids GROUP BY auction",
        _WIDE,
        _MINI_BATCH,
        _SPLIT,
    ),
    "no distinct": _script("by_bidder", _BY_BIDDER.format(source="bids"), _WIDE, _MINI_BATCH),
    "interval join": _script("pairs", _INTERVAL.format(left="bids", right="asks")),
    "interval without watermark": _script("pairs", _INTERVAL.format(left="bids", right="plain")),
    "interval of lost watermark": _script("pairs", _INTERVAL.format(left=_CAST, right="asks")),
    "join": _script(
        "pairs", "SELECT b.bidder, a.seller FROM bids b JOIN asks a ON b.auction = a.auction"
    ),
    "join, ttl": _script(
        "pairs",
        "SELECT b.bidder, a.seller FROM bids b JOIN asks a ON b.auction = a.auction",
        {"table.exec.state.ttl": "1 d"},
    ),
    "window": _script("pairs", _WINDOWS.format(window="window_start, window_end")),
    "window without end": _script("pairs", _WINDOWS.format(window="window_start")),
    "session": _script("pairs", _SESSION.format(source="bids", time="at_time"), _WIDE),
    "session, idle": _script(
        "pairs",
        _SESSION.format(source="bids", time="at_time"),
        _WIDE,
        {"table.exec.source.idle-timeout": "30 s"},
    ),
    "session, processing time": _script(
        "pairs", _SESSION.format(source="clocked", time="proc"), _WIDE
    ),
    "session function": _script(
        "pairs",
        "SELECT auction, COUNT(*) FROM TABLE(SESSION(TABLE bids PARTITION BY auction, "
        "DESCRIPTOR(at_time), INTERVAL '5' MINUTE)) GROUP BY auction, window_start, window_end",
        _WIDE,
    ),
    "over": _script("pairs", _OVER.format(frame="INTERVAL '1' HOUR PRECEDING")),
    "over everything": _script("pairs", _OVER.format(frame="UNBOUNDED PRECEDING")),
    "over rows": _script("pairs", _OVER.format(frame="5 PRECEDING").replace("RANGE", "ROWS")),
    "random": _script(
        "printed",
        "SELECT bidder, COUNT(*) + CAST(RAND() * 9 AS BIGINT) FROM bids GROUP BY bidder",
    ),
    "session, one subtask": _script("pairs", _SESSION.format(source="bids", time="at_time")),
    "interval with one bound": _script(
        "pairs",
        "SELECT b.bidder, a.seller FROM bids b JOIN plain a ON b.auction = a.auction AND "
        "b.at_time > a.at_time - INTERVAL '1' HOUR",
    ),
    "retracted distinct": _script(
        "pairs",
        "SELECT n, COUNT(DISTINCT bidder) FROM (SELECT bidder, COUNT(*) AS n FROM bids GROUP BY "
        "bidder) GROUP BY n",
        _WIDE,
    ),
    "lookup, nothing to set": _lookup("waiting"),
    "lookup, both": _lookup("offering"),
    "lookup, both, in sync": _lookup("offering", _IN_SYNC),
    "lookup, old cache": _lookup("cached"),
    "lookup, no old cache": _lookup("uncached"),
    "lookup": _lookup("service"),
    "lookup, async": _lookup("service", **{"lookup.async": "true"}),
    "lookup, cached": _lookup(
        "service", **{"lookup.cache": "PARTIAL", "lookup.partial-cache.max-rows": "100"}
    ),
    "lookup, async and cached": _lookup(
        "service",
        **{
            "lookup.async": "true",
            "lookup.cache": "PARTIAL",
            "lookup.partial-cache.max-rows": "100",
        },
    ),
    "lookup, full cache": _lookup(
        "service",
        **{
            "lookup.cache": "FULL",
            "lookup.full-cache.reload-strategy": "PERIODIC",
            "lookup.full-cache.periodic-reload.interval": "1 h",
        },
    ),
    "lookup of changes": _lookup("service", left=_COUNTED),
    "lookup of changes, both": _lookup("offering", left=_COUNTED),
    "lookup, materialized": _lookup("service", left=_COUNTED).replace(
        _TABLES,
        f"SET 'table.optimizer.non-deterministic-update.strategy' = 'TRY_RESOLVE';\n{_TABLES}",
    ),
}
"""Scripts of one job by name."""
