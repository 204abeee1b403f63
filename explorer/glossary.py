"""What do Flink's words mean? One table; pages, notebooks and lessons show its sentences."""

from typing import Final, NamedTuple


class Term(NamedTuple):
    """One word, and its meaning."""

    word: str
    means: str
    also: tuple[str, ...] = ()
    """Other forms in which it stands in a text; the plural with an s is known."""


TERMS: Final = (
    Term(
        "StreamGraph",
        "The program as a graph of operators and edges, before anything is chained.",
    ),
    Term(
        "operator",
        "One step of the program, such as a map or a sink; it has an ID, by which its state is "
        "found.",
    ),
    Term("edge", "A stream from one operator to another."),
    Term(
        "partitioner",
        "It decides to which subtask behind an edge a record goes: FORWARD, HASH, REBALANCE and "
        "others.",
    ),
    Term(
        "chain",
        "Operators that run in one task, where each calls the next; no record becomes bytes in "
        "between.",
    ),
    Term(
        "chaining strategy",
        "An operator's rule for chaining: ALWAYS, HEAD (it starts a chain) or NEVER.",
        ("chaining strategies", "HEAD_WITH_SOURCES"),
    ),
    Term("JobGraph", "What is submitted: one task a chain, one job edge for each stream between."),
    Term(
        "task",
        "A chain as a whole; Flink's JobGraph calls it a job vertex. It runs in as many subtasks "
        "as its parallelism.",
        ("job vertex", "job vertices", "JobVertex"),
    ),
    Term("job edge", "One input of a task: which data set it reads, and how."),
    Term(
        "ship strategy",
        "What the JobGraph calls the partitioner of a job edge.",
        ("ship strategies",),
    ),
    Term(
        "execution graph",
        "The JobGraph spread out: every subtask, every result partition, every channel.",
    ),
    Term("subtask", "One of a task's parallel copies; each runs in a thread of its own."),
    Term("parallelism", "How many subtasks an operator, and so its task, has."),
    Term(
        "max parallelism",
        "How many key groups there are: the parallelism can never be larger.",
        ("maximum parallelism", "maximum parallelisms"),
    ),
    Term(
        "key group",
        "A share of the keys: the unit in which keyed state is reassigned.",
    ),
    Term("channel", "The connection from one subtask to another."),
    Term(
        "data set",
        "What a task writes for its readers; in Flink's words an intermediate data set.",
        ("intermediate data set",),
    ),
    Term("result partition", "What one subtask writes of a data set."),
    Term("subpartition", "What a result partition holds for one reader."),
    Term(
        "PIPELINED_BOUNDED",
        "A result that is read while it is written, with a bound on what is in flight.",
    ),
    Term("BLOCKING", "A result that is read when all of it is there."),
    Term(
        "network buffer",
        "A piece of network memory, 32 KB unless set otherwise; channels need some to send and to "
        "receive.",
    ),
    Term(
        "buffer timeout",
        "Milliseconds after which a network buffer is sent even if it is not full.",
    ),
    Term("slot", "A share of a task manager; it takes one subtask of each task of a group."),
    Term(
        "slot sharing group",
        "Operators with subtasks that may share slots; those of two groups never do, nor do they "
        "chain.",
    ),
    Term("task manager", "A process that offers slots and runs subtasks."),
    Term(
        "managed memory", "Memory that Flink shares out among operators, for state or for sorting."
    ),
    Term("uid", "A name that the program gives an operator; its ID is computed from that alone."),
    Term(
        "uid hash",
        "A second ID of an operator, written by hand, by which older state is found, too.",
        ("uid hashes",),
    ),
    Term(
        "operator ID",
        "It is 32 hex digits, from the uid, or from the place in the graph where there is none.",
    ),
    Term("task ID", "The operator ID of the operator that starts the task's chain."),
    Term("state", "Data that an operator stores between records, and that a savepoint contains."),
    Term("checkpoint", "A copy of all state that Flink takes, to go on from after a fault."),
    Term("savepoint", "A copy of all state that a user triggers, to start a program from."),
    Term("baseline", "The deployed version: every *changed* is measured from it."),
    Term(
        "barrier",
        "A mark in the stream; an operator that has it from each input takes its part of a "
        "checkpoint.",
    ),
    Term("watermark", "A mark in the stream: no record of an earlier time is expected behind it."),
    Term("side output", "A second output of an operator, with a tag and records of its own."),
    Term(
        "selectivity",
        "How many records an operator sends on for each that comes in.",
        ("selectivities",),
    ),
)
"""In the order in which a class meets them."""

FORMS: Final = {
    form.lower(): term for term in TERMS for form in (term.word, f"{term.word}s", *term.also)
}
"""By every form, in lower case, its term."""
