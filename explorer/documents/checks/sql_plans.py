"""Checks of a document's ``sql_plan``: inputs and statements exist, and its size."""

from collections.abc import Container, Iterator
from typing import Final

from explorer.documents.checks.faults import Problem, refuse
from explorer.documents.limits import MAX_TRANSFORMATIONS
from explorer.model.sql_plan import ExecNode, SqlPlan

MAX_STATEMENT: Final = 100_000
"""Characters of a statement, and of a plan node's description."""
MAX_COLUMNS: Final = 1_000
"""Columns of a plan node's rows."""


def check_sql_plan(plan: SqlPlan, path: str = "sql_plan.nodes") -> None:
    """Raise ``DocumentError`` for the first fault of a plan; ``path``: where its nodes stand."""
    refuse(_problems(plan, path))


def _problems(plan: SqlPlan, path: str) -> Iterator[Problem]:
    if len(plan.nodes) > MAX_TRANSFORMATIONS:
        yield path, f"must be {MAX_TRANSFORMATIONS:,} nodes at most, but are {len(plan.nodes):,}"
    for position, statement in enumerate(plan.statements):
        yield from _of_text(statement.text, f"sql_plan.statements[{position}].text")
    positions: dict[int, int] = {}
    for position, node in enumerate(plan.nodes):
        first = positions.setdefault(node.id, position)
        if first != position:
            yield f"{path}[{position}].id", f"{node.id} is the ID of nodes[{first}] already"
    for position, node in enumerate(plan.nodes):
        yield from _of_node(node, f"{path}[{position}]", positions, len(plan.statements))


def _of_node(
    node: ExecNode, place: str, container: Container[int], statements: int
) -> Iterator[Problem]:
    strange = next((id for id in node.inputs if id not in container), None)
    if strange is not None:
        yield f"{place}.inputs", f"there is no node {strange}"
    if any(not 0 <= statement < statements for statement in node.statements):
        yield f"{place}.statements", f"must be positions below {statements}"
    if len(node.columns) > MAX_COLUMNS:
        yield f"{place}.columns", f"must be {MAX_COLUMNS:,} columns at most"
    yield from _of_text(node.description, f"{place}.description")


def _of_text(text: str, path: str) -> Iterator[Problem]:
    if len(text) > MAX_STATEMENT:
        yield path, f"must have {MAX_STATEMENT:,} characters at most"
