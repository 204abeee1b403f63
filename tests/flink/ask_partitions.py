"""Writes ``partitions.jsonl.gz``: the rows that jobs with partition windows emit, in their order.

``python -m tests.flink.ask_partitions`` runs the jobs in local clusters of two releases.
"""

from tests.flink.all_releases import ask_all

_ROWS = "a|3|1.5|true b|-200|2.5|false |200|NaN|true c||-0.0| d|3|0.0|false"
_WORDS = "ab|3|| a|-200|| |200|| é||| 𝄞|3|| ﬀ|1||"
_WITH_KEYS = "a|3|1.5|true b|-2|2.5|false a|2|-1.5|true c|9|-0.0|true d|4|NaN|false d|3|0.0|false"
QUESTIONS = (
    f"sort none n ASCENDING {_ROWS}",
    f"sort none n DESCENDING {_ROWS}",
    f"sort none b DESCENDING {_ROWS}",
    f"sort none d ASCENDING {_ROWS} e|1||",
    f"sort none w ASCENDING {_WORDS}",
    f"sort none w DESCENDING {_WORDS}",
    f"sort d n ASCENDING {_WITH_KEYS}",
    f"sort b n DESCENDING {_WITH_KEYS}",
    "sort w n ASCENDING b|3|| a|-200|| é|200|| b||| 𝄞|3|| ab|1|| a|5|| b|3||",
    "sort n w DESCENDING b|3|| a|-200|| é|200|| b|3|| 𝄞|3|| ab|1|| a|5|| b|3||",
    "map none b|3|| a|-200|| é|200||",
    "map w b|3|| a|-200|| é|200|| b|4|| a|1||",
    "map none",
)

if __name__ == "__main__":
    ask_all("AskPartitions", QUESTIONS, "partitions", ("1.20.5", "2.2.1"))
