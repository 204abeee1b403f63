"""Writes ``joins.jsonl.gz``: what sixteen releases make of joins and coGroups over windows.

``python -m tests.flink.ask_joins`` asks every release.
"""

from tests.flink.all_releases import ask_all

QUESTIONS = (
    "join tumbling",
    "join sliding",
    "join session",
    "join processing",
    "co_group tumbling",
    "co_group session set",
    "join tumbling set",
    "join tumbling late",
    "co_group tumbling late",
    "join tumbling same",
    "join tumbling keyed",
    "join tumbling union",
    "join tumbling mapped",
    "co_group sliding mapped keyed",
    "join tumbling group",
    "join tumbling starting",
    "join tumbling unchained",
    "join tumbling twice",
    "co_group tumbling twice same",
    "join tumbling union twice keyed",
    "join tumbling batch",
    "co_group tumbling batch keyed",
    "join tumbling batch mapped",
    "join tumbling batch twice mapped",
    "join tumbling batch group unchained",
)

if __name__ == "__main__":
    ask_all("AskJoins", QUESTIONS, "joins")
