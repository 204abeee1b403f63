"""Where transformation types may be named, and whether each row agrees with what it names."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import fields

from explorer.flink.kinds import KINDS, NODE_FIELDS
from explorer.flink.partitioners import PARTITIONER_CLASSES
from explorer.model.pipeline import Transformation
from explorer.model.stream_graph import StreamEdge, StreamNode
from tests.many_cases import for_each

ROOT: Final = Path(__file__).parents[2]
ALLOWED: Final = {
    "explorer/restore/declared_states.py": "fields that have the names of types",
    "explorer/capture/recording/node_facts.py": "the fields of Flink's factories",
    "explorer/capture/sql/lookups.py": "the cache of a lookup",
    "explorer/flink/kinds.py": "the rows",
    "explorer/flink/operator_state.py": "the names of plans, which show no types",
    "explorer/flink/passes/generation/generator.py": "the makers of nodes and of streams",
    "explorer/flink/passes/generation/support.py": "the calls that refuse one another",
    "explorer/sandbox/kernel.py": "a field of a C structure",
    "explorer/engine/spark/practice.py": "a pipeline of our own",
    "explorer/datastream/execution_environment.py": "the calls that declare one",
    "explorer/datastream/streams.py": "the calls that declare one",
}
_FIELDS: Final = {
    one.name for record in (Transformation, StreamNode, StreamEdge) for one in fields(record)
}
WORDS: Final = {"sink", "source", "union", "partition", "forward", "broadcast"} | _FIELDS
"""Type names that mean something else, too: alone in a text they are read as that."""


_QUOTED: Final = re.compile(rf"""(["'])(?:{"|".join(KINDS)})\1""")


def types_named(module: str) -> set[str]:
    """The transformation types that a module's code names."""
    if not _QUOTED.search(module):
        return set()  # most modules: to parse and walk them is nearly all of the test's time
    named, waiting = set[str](), list[ast.AST]([ast.parse(module)])
    while waiting:
        node = waiting.pop()
        children = [*ast.iter_child_nodes(node)]
        named.update(_named(node, children))
        waiting += children
    return named


def _named(node: ast.AST, children: Iterable[ast.AST]) -> Iterator[str]:
    asked = _asks_for_a_type(node)
    names = _types_among(ast.walk(node) if asked else children)
    listed = isinstance(node, ast.Set | ast.List | ast.Tuple) and len(names) > 1
    return (name for name in names if asked or listed or name not in WORDS)


def _types_among(nodes: Iterable[ast.AST]) -> set[str]:
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in KINDS
    }


def _asks_for_a_type(node: ast.AST) -> bool:
    match node:
        case ast.keyword(arg="type"):
            return isinstance(node.value, ast.Constant)
        case ast.Compare():
            # To write it as text takes longer than all the rest.
            return bool(_types_among(ast.walk(node))) and "type" in ast.unparse(node)
        case ast.Subscript(value=ast.Name(id="KINDS")) | ast.MatchValue():
            return True
        case _:
            return False


@pytest.mark.law
@pytest.mark.parametrize("room", ["explorer", "components"])
def test_a_type_is_named_where_it_is_described_made_run_or_called(room: str) -> None:
    modules = {str(path.relative_to(ROOT)): path for path in (ROOT / room).rglob("*.py")}
    named = {
        module: types_named(path.read_text(encoding="utf-8"))
        for module, path in modules.items()
        if module not in ALLOWED
    }

    # Whoever names one asks its row of kinds instead.
    assert {module: types for module, types in named.items() if types} == {}


@for_each(
    ("code", "named"),
    [
        ("t.type == 'window'", {"window"}),
        ("item['type'] in {'union'}", {"union"}),
        ("ENDS = {'sink', 'sink_v2'}", {"sink", "sink_v2"}),
        ("ROWS = {'window_all': 1}", {"window_all"}),
        ("Transformation(id='a', type='source')", {"source"}),
        ("KINDS['partition'].name", {"partition"}),
        ("getattr(t, 'window'), edge['source'], counted(2, 'partition')", set()),
    ],
)
def test_a_name_is_found_wherever_it_means_a_type(code: str, named: set[str]) -> None:
    assert types_named(code) == named


@for_each("module", ALLOWED)
def test_modules_that_may_name_types_do(module: str) -> None:
    assert types_named((ROOT / module).read_text(encoding="utf-8"))


@for_each("type", KINDS)
def test_a_row_agrees_with_the_document_and_with_itself(type: str) -> None:
    kind = KINDS[type]
    known = {field.name for field in fields(Transformation)}

    assert kind.type == type
    assert {*kind.fields, *NODE_FIELDS} <= known
    assert {field for field, _ in kind.needs} <= set(kind.fields)
    assert set(kind.ignored) <= set(NODE_FIELDS)
    assert kind.node or not kind.ignored
    assert kind.successor is None or kind.successor in KINDS
    assert all(position < kind.inputs[0] for position, _ in kind.hidden)
    partitioners = {kind.partitioner, *(partitioner for _, partitioner in kind.hidden)} - {None}
    assert partitioners <= set(PARTITIONER_CLASSES)


def test_each_partitioner_is_set_by_one_type() -> None:
    setting = [kind.partitioner for kind in KINDS.values() if kind.partitioner is not None]

    assert sorted(setting) == sorted(PARTITIONER_CLASSES)
