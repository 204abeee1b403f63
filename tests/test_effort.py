"""What grows with a document grows with its size, not with its square: calls are counted."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from explorer import compile_graph, load_document
from explorer.checks import fixes
from explorer.cli import explaining
from explorer.cli.main import main
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.errors import ExplorerError, did_you_mean
from explorer.model.row_type import parse_schema


class Keys(tuple[str, ...]):
    """Column names that count how often they are walked."""

    walks = 0

    def count(self, value: object, /) -> int:
        Keys.walks += 1
        return super().count(value)


def effort(work: Callable[[], object]) -> int:
    """How many lines of ours and of the standard library's Python are run."""
    lines = 0

    def trace(*_: Any) -> Any:
        nonlocal lines
        lines += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except ExplorerError:
        pass
    finally:
        sys.settrace(before)
    return lines


def keyed(columns: int) -> dict[str, Any]:
    names = [f"column_number_{n}" for n in range(columns)]
    select = dict.fromkeys(names, "n")
    return {
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "m", "type": "map", "inputs": ["s"], "select": select},
            {"id": "k", "type": "key_by", "inputs": ["m"], "keys": names},
            {"id": "o", "type": "sink", "inputs": ["k"]},
        ]
    }


def misspelt(columns: int) -> dict[str, Any]:
    document = keyed(columns)
    document["transformations"][2] = {
        "id": "k",
        "type": "filter",
        "inputs": ["m"],
        "where": "column_numbr_1 = 0",
    }
    return document


def schema(columns: int) -> None:
    parse_schema(", ".join(f"column_number_{n} LONG" for n in range(columns)))


def listed(choices: int) -> None:
    row = parse_schema("n LONG")
    text = f"n in ({', '.join(str(n) for n in range(choices))})"
    evaluate(compile_expression(text, row, "where"), from_rows(row, [(1,)]))


WORK: dict[str, tuple[Callable[[int], object], int]] = {
    "keys": (lambda n: load_document(keyed(n)), 500),
    "a misspelt column": (lambda n: plan_trial(compile_graph(misspelt(n))), 240),
    "a schema": (schema, 240),
    "a list": (listed, 400),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WORK)
def test_twice_as_much_needs_about_twice_as_long(name: str) -> None:
    work, size = WORK[name]
    work_once = effort(lambda: work(size))
    work_twice = effort(lambda: work(2 * size))

    assert work_twice < 2.6 * work_once


def test_keys_are_visited_once() -> None:
    from explorer.documents.checks.faults import named_once

    assert named_once("keys", Keys(f"k{n}" for n in range(100))) is None

    assert Keys.walks == 0


@pytest.mark.parametrize("known", [10, 1_000])
def test_the_nearest_name_is_found_among_many(known: int) -> None:
    names = [f"column_number_{n}" for n in range(known)]

    assert did_you_mean("column_numbr_7", names) == "; did you mean 'column_number_7'?"


def test_explaining_all_edges_tries_changes_for_the_first(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["transformations:", "  - {id: m0, type: source}"]
    lines += [
        f"  - {{id: m{n}, type: map, inputs: [m{n - 1}], parallelism: {1 + n % 2}}}"
        for n in range(1, 10)
    ]
    (tmp_path / "chain.yaml").write_text("\n".join(lines))
    monkeypatch.setattr(explaining, "MOST_TRIED", 30)

    assert main(["explain", str(tmp_path / "chain.yaml"), "--json"]) == 0
    reported = capsys.readouterr()
    assert reported.out.count('"fixes": [\n') == 3
    assert "changes were tried for the first 3 edges" in reported.err


def test_check_makes_a_change_of_many_findings_once_and_few_of_a_large_graph(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = range(6)
    lines = ["transformations:", *(f"  - {{id: s{n}, type: source}}" for n in ids)]
    lines += [f"  - {{id: u, type: union, inputs: [{', '.join(f's{n}' for n in ids)}]}}"]
    lines += [f"  - {{id: k{n}, type: sink, inputs: [u]}}" for n in ids]
    path = tmp_path / "union.yaml"
    path.write_text("\n".join(lines))

    monkeypatch.setattr(fixes, "EDGES_TRIED", 2 * 36)
    assert main(["check", str(path)]) == 0
    reported = capsys.readouterr()

    assert reported.out.count("fix: Give all 6 stateful operators uids") == 6
    assert reported.out.count("fix: Give s") == 2
    assert "some changes for 7 findings were not tried" in reported.err
