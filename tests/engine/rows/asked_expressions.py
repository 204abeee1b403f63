"""The expressions that Flink's own planner was asked, and the rows that it computed them over."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

COLUMNS: Final = "i LONG, n LONG, m LONG, x DOUBLE, s STRING, p STRING, b BOOLEAN"
ROWS: Final[tuple[tuple[Any, ...], ...]] = (
    (0, 7, 3, 1.5, "Hello World", "2024-02-29 13:45:59.123", True),
    (1, -7, 3, -2.5, "a1b22c333", "1969-12-31 23:59:59", False),
    (2, 9223372036854775807, 1, 1e18, " 42 ", "2024-12-31", True),
    (3, -9223372036854775808, -1, 3.25, "", "1970-01-01 00:00:00.000", False),
    (4, 0, 10, 0.0, "über-größe", "1900-02-28 00:00:00", True),
    (5, None, None, None, None, None, None),
    (6, 1709214359123, 1000, 2.0, "true", "9999-12-31 23:59:59.999", None),
    (7, 86400000, -1000, 0.1, "x@example.org, y@b.c", "not a time", False),
)
TIME: Final = "to_timestamp_ltz(m * 86399999, 3)"
"""A time that every row has."""
READ: Final = "try_cast(p as timestamp(3))"
PARTS: Final = (
    *("year", "quarter", "month", "week", "day", "hour", "minute", "second"),
    *("dow", "doy", "isodow", "isoyear", "century", "decade", "millennium", "epoch"),
)
UNITS: Final = ("second", "minute", "hour", "day", "month", "year")
FLOORS: Final = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
PATTERNS: Final = (
    "yyyy-MM-dd",
    "yyyy/MM/dd HH:mm:ss.SSS",
    "yy-M-d H:m:s",
    "HH:mm",
    "yyyyMMdd''T''",
    "HH ''o''''clock''",
    "HH'''' ''T''''''''",
    "HH ''o''''clock",
)

EXPRESSIONS: Final = (
    # numbers
    *("n + m", "n - m", "n * m", "n % m", "mod(n, m)", "-n", "abs(m)", "n + 1", "x + n", "x * 2"),
    *("x / 0.0e0", "ceil(x)", "floor(x)", "round(x, 1)", "sign(x)", "sqrt(x)", "power(x, 2)"),
    # truth
    *("n > m", "n = m", "b and n > 0", "b or n > 0", "not b", "b is true", "b is not true"),
    *("n is null", "n is distinct from m", "n in (7, 0)", "n between 0 and 10", "n not in (7)"),
    # CASE, NULLIF, COALESCE
    "case when n > 0 then 'plus' when n < 0 then 'minus' end",
    "case n when 7 then 'seven' when 0 then 'none' else s end",
    "case when b then n else m end",
    "case when b then n else x end",
    "case when n is null then 'null' when b is null then 'unknown' else 'known' end",
    *(
        "nullif(n, 7)",
        "nullif(s, '')",
        "nullif(x, 0.0e0)",
        "coalesce(n, m, 5)",
        "ifnull(s, 'none')",
    ),
    *("if(n > 0, s, 'no')", "greatest(n, m)", "least(n, m)"),
    # casts
    *("cast(n as string)", "cast(x as string)", "cast(b as string)", "cast(n as double)"),
    *("cast(x as bigint)", "cast(b as bigint)", "cast(n as boolean)", "try_cast(s as bigint)"),
    *("try_cast(s as double)", "try_cast(s as boolean)", "cast('12' as bigint)"),
    *("cast(' 12.5 ' as double)", "cast(m as string) || s"),
    # text
    *("upper(s)", "lower(s)", "char_length(s)", "reverse(s)", "substring(s, 2, 3)", "s like '%o%'"),
    *("left(s, 3)", "right(s, 3)", "trim(s)", "replace(s, 'o', '0')"),
    # regular expressions
    *("regexp(s, '[0-9]+')", "regexp(s, '^H')", "regexp(s, '')", "regexp_replace(s, '[0-9]', '#')"),
    *("regexp_replace(s, '(o)', '$1\\')", "regexp_extract(s, '([a-z])([0-9]+)', 2)"),
    *("regexp_extract(s, '([a-z])([0-9]+)')", "regexp_extract(s, '[0-9]+', 0)"),
    *(
        "regexp_extract(s, '(?i)h(e)', 1)",
        "regexp_extract(s, 'o$|d$', 0)",
        "regexp_count(s, '[0-9]')",
    ),
    *("regexp_count(s, 'l+')", "regexp_substr(s, '[^@ ]+@[a-z.]+')", "regexp_extract(s, '^', 0)"),
    # times
    *(f"cast({part} as string)" for part in (TIME, READ, "try_cast(p as date)")),
    *(f"extract({part} from {READ})" for part in PARTS),
    *(
        f"{part}({READ})"
        for part in ("year", "quarter", "month", "week", "hour", "minute", "second")
    ),
    *(f"{part}({READ})" for part in ("dayofmonth", "dayofweek", "dayofyear")),
    *(f"extract({part} from {TIME})" for part in ("year", "day", "second")),
    *(f"cast(floor({READ} to {unit}) as string)" for unit in FLOORS),
    *(f"cast(ceil({READ} to {unit}) as string)" for unit in FLOORS),
    *(f"cast(timestampadd({unit}, 5, {READ}) as string)" for unit in UNITS),
    *(f"timestampdiff({unit}, {READ}, timestamp '2024-02-29 13:45:59')" for unit in UNITS),
    *(
        f"cast({READ} + interval '{count}' {unit} as string)"
        for count, unit in (("1", "day"), ("-90", "minute"), ("14", "month"))
    ),
    *(f"cast({READ} - interval '1' {unit} as string)" for unit in ("second", "month", "year")),
    *(f"date_format({READ}, '{pattern}')" for pattern in PATTERNS),
    f"date_format({TIME}, 'yyyy-MM-dd HH')",
    *(f"{READ} {symbol} timestamp '2024-02-29 13:45:59.123'" for symbol in ("=", "<", ">=", "<>")),
    "try_cast(p as date) = date '2024-12-31'",
    "cast(date '2024-02-29' as string)",
    "cast(cast(timestamp '2024-02-29 13:45:59' as date) as string)",
    "cast(cast(date '2024-02-29' as timestamp(3)) as string)",
    "cast(to_timestamp(p) as string)",
    "cast(to_date(p) as string)",
    "from_unixtime(m * 1000)",
    "from_unixtime(m, 'HH:mm')",
    "from_unixtime(m, 'HH ''o''''clock''')",
    "from_unixtime(m, 'HH ''o''''clock')",
    "cast(cast('2024-02-29 13:45:59' as timestamp(3)) + interval '1' day as string)",
    "cast(to_timestamp_ltz(m, 0) as string)",
    "n + s",
    "lower(n)",
    "case when n then 1 end",
    "floor(s to hour)",
    "nowhere + 1",
    "cast(b as timestamp(3)) is null",
    "n = s or b = 'x'",
    "cast(timestamp '2024-02-30 00:00:00' as string)",
    "cast(p as timestamp(3)) is null",
    "case when b then timestamp '2024-01-01 00:00:00' end is null",
)
"""What is asked of Flink, in words that are ours, too."""


def flink_table() -> str:
    """The rows as Flink's SQL gives them."""
    columns = [part.split() for part in COLUMNS.split(", ")]
    rows = ", ".join(f"({', '.join(_values(row, columns))})" for row in ROWS)
    names = ", ".join(name for name, _ in columns)
    return f"SELECT * FROM (VALUES {rows}) AS v({names})"  # noqa: S608 - for Flink, from us


def _values(row: Sequence[Any], columns: Sequence[Sequence[str]]) -> Iterator[str]:
    for value, (_, kind) in zip(row, columns, strict=True):
        yield _sql(value, "BIGINT" if kind == "LONG" else kind)


def _sql(value: Any, kind: str) -> str:
    if value is None:
        return f"CAST(NULL AS {kind})"
    text = str(value).replace("'", "''")
    return f"CAST('{text}' AS {kind})"
