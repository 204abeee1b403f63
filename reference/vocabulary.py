"""Reference page: the command, the tab and the Python function that answer the same question."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from components.session import places
from explorer.cli.command_table import ALIASES
from reference.markdown import code, table


class Question(NamedTuple):
    """A question, and the names under which shell, page and Python answer it."""

    question: str
    commands: tuple[str, ...] = ()
    tabs: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    """Names of the package, or ``CompiledGraph.NAME``."""


QUESTIONS: Final = (
    Question("Which graphs does Flink build?", ("compile",), (), ("compile_graph",)),
    Question(
        "What do the graphs look like?",
        ("draw",),
        (places.CLOSED, "Execution graph", places.EXPORT),
        (
            "CompiledGraph.to_svg",
            "CompiledGraph.to_html",
            "CompiledGraph.to_mermaid",
            "CompiledGraph.to_dot",
            "CompiledGraph.to_networkx",
            "CompiledGraph.to_pandas",
            "widget",
        ),
    ),
    Question(
        "Why is an edge chained or not?", ("explain",), ("Decisions",), ("CompiledGraph.explain",)
    ),
    Question(
        "How do IDs and chains come about, step by step?",
        ("steps",),
        (places.STEPS,),
        ("CompiledGraph.steps",),
    ),
    Question("Which objects does a task consist of?", ("explain",), (places.INTERNALS,)),
    Question("Which ID does each operator have?", ("compile",), ("IDs",), ("compile_graph",)),
    Question("Which operator does an ID or an error message mean?", ("whatis",), (places.FIND,)),
    Question(
        "What crosses the network between two tasks?",
        ("exchange",),
        (places.EXCHANGE,),
        ("exchange",),
    ),
    Question("What does a serialised record contain?", ("inspect-bytes",), (places.EXCHANGE,)),
    Question("May the new version be deployed?", ("plan",), (places.PLAN,), ("plan",)),
    Question(
        "What differs between two versions?", ("compare",), ("Compare",), ("CompiledGraph.compare",)
    ),
    Question(
        "Does the new version restore?", ("restore", "bridge"), ("Restore",), ("check_restore",)
    ),
    Question("Do Flink's own classes restore the savepoint?", ("rehearse",), (), ("rehearse",)),
    Question("What does a savepoint contain?", ("savepoint",), ("Restore",), ("load_savepoint",)),
    Question("What is wrong with the program?", ("check", "lock"), ("Check",), ("check",)),
    Question(
        "Which resources does it need?",
        ("resources",),
        (places.RESOURCES,),
        ("resources", "task_manager_memory"),
    ),
    Question("What do Flink's releases change?", ("releases",), ("Compare",)),
    Question("Which rows come out?", ("preview",), (places.TRIAL,), ("preview",)),
    Question(
        "How many records and bytes cross each edge?", ("trial",), (places.TRIAL,), ("run_trial",)
    ),
    Question("What happens to one record?", ("follow",), (places.FOLLOW,), ("follow",)),
    Question("What does a running job do?", ("capture",), ("Running job",), ("capture",)),
    Question("Which graph has my program?", ("capture",), (places.IMPORT,), ("capture",)),
    Question(
        "How do I write a program?",
        ("schema",),
        (places.YAML, places.CHANGES),
        ("environment", "load_document"),
    ),
    Question("How do I learn it?", ("lesson", "samples"), (places.LESSON,)),
)
INSTALLATION: Final = ("completion", "flink", "mcp", "ui")
"""Commands that answer no question about a program."""


def vocabulary_page() -> str:
    """Return the page: one row for each question, then the former names of commands."""
    rows = (
        (
            row.question,
            _codes(row.commands),
            ", ".join(f"*{tab}*" for tab in row.tabs),
            _codes(row.functions),
        )
        for row in QUESTIONS
    )
    former = ((code(alias), code(name)) for alias, name in ALIASES.items())
    return (
        "# Same question, same name\n\nWhich command, tab of the page and name of the package"
        " `explorer` answer a question.\n\n"
        + table(["question", "command", "tab", "Python"], rows)
        + "\nFormer names of commands work until the next release.\n\n"
        + table(["former name", "name"], former)
    )


def _codes(names: Iterable[str]) -> str:
    return ", ".join(code(name) for name in names)
