"""Every limit of the table at its edge, where it lets pass, and one beyond, where it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from components import limits
from components.server.hosting import HOSTED, OWN, PUBLIC
from components.session import link
from components.session.work import opened
from explorer import compile_graph, load_document, load_savepoint
from explorer.documents import parse_document
from explorer.engine.planning import trial_plan
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.evaluator import evaluate
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.pieces import pieces
from explorer.engine.rows.sizes import BatchTooLargeError, Budget
from explorer.engine.rows.sources import folders, lines
from explorer.engine.rows.sources.tables import infer_row_type
from explorer.engine.starting import follow, preview
from explorer.engine.steps import window_plans
from explorer.errors import ExplorerError, TooLargeError
from explorer.flink import edge_limit
from explorer.model.row_type import parse_schema
from tests.many_cases import for_each

ROOT = Path(__file__).parents[2]
MB = 1024 * 1024
Try = Callable[[int, Path], object]
SOURCE = {"id": "s", "type": "source"}


def job(*more: dict[str, Any], **environment: Any) -> dict[str, Any]:
    return {"environment": environment, "transformations": [SOURCE, *more]}


def mapped(expression: str) -> object:
    select = {"id": "m", "type": "map", "inputs": ["s"], "select": {"n": expression}}
    return plan_trial(compile_graph(job(select, {"id": "o", "type": "sink", "inputs": ["m"]})))


def many(count: int) -> dict[str, Any]:
    readers = [{"id": f"m{n}", "type": "map", "inputs": ["s"]} for n in range(count - 1)]
    return job(*readers)


def nested(depth: int) -> object:
    text = "a: " + "[" * (depth - 1) + "]" * (depth - 1)
    with pytest.raises(ExplorerError) as error:
        parse_document(text.encode(), name="x.yaml")
    if "deep" in str(error.value):
        raise error.value
    return None


def aliased(values: int) -> object:
    """Values in a hundredfold list, and some alone."""
    hundreds, rest = divmod(values, 100)
    items = ["*x"] * hundreds + ["*y"] * rest
    text = f"- &x [{', '.join('1' * 99)}]\n- &y 1\n- [{', '.join(items)}]"
    with pytest.raises(ExplorerError) as error:
        parse_document(text.encode(), name="x.yaml")
    if "aliases" in str(error.value):
        raise error.value
    return None


def linked(length: int) -> None:
    """A link of about this length: its text is random, so that it does not pack."""
    document = load_document(job({"id": "o", "type": "sink", "inputs": ["s"]}))
    found = link.to_link(opened(document, ""))
    assert found is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link, "LONGEST", length - link.LONGEST + len(found))
        assert link.to_link(opened(document, "")) == (
            found if length >= limits_of("a link") else None
        )
    if length > limits_of("a link"):
        msg = "as it should be: a longer limit lets it pass"
        raise ExplorerError(msg)


def limits_of(name: str) -> int:
    return next(int(one.most) for one in limits.LIMITS if one.name == name)


def columns(count: int) -> object:
    return parse_schema(", ".join(f"c{n} LONG" for n in range(count)))


def skewed(keys: int) -> None:
    """A source with one skewed column."""
    made = {"rows": 1, "columns": {"k": {"draw": "zipf", "keys": keys}}}
    load_document({"transformations": [{"id": "a", "type": "source", "rows": {"generate": made}}]})


def pattern(length: int) -> object:
    split = {"value": "concat(n)", "pattern": "a" * length, "as": "w"}
    one = {"id": "f", "type": "flat_map", "inputs": ["s"], "split": split}
    return plan_trial(compile_graph(job(one, {"id": "o", "type": "sink", "inputs": ["f"]})))


def files(count: int, folder: Path) -> object:
    """What a source reads of a folder of so many files."""
    (folder / "rows").mkdir(exist_ok=True)
    for number in range(count):
        (folder / "rows" / f"part-{number}").touch()
    return folders.files_of(folder / "rows", "rows")


def line(megabytes: int, folder: Path) -> object:
    """A line of just so many bytes, or one more."""
    size = 8 * MB + (megabytes > 8)
    (folder / "long.txt").write_bytes(b"x" * size)
    return list(lines.line_blocks(folder / "long.txt", "long.txt"))


def nested_json(depth: int, folder: Path) -> object:
    text = '{"a": 1, "b": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"
    (folder / "rows.jsonl").write_text(text)
    with pytest.raises(ExplorerError) as error:
        infer_row_type(folder / "rows.jsonl", "rows.jsonl", "jsonl")
    if "deep" in str(error.value):
        raise error.value
    return None


def row_of(megabytes: int) -> object:
    size = 8 * MB + (megabytes > 8)
    return list(pieces("m", from_rows(parse_schema("w STRING"), [("x" * size,)])))


def made(megabytes: int) -> None:
    """A column of values, of which each stands for itself."""
    row = parse_schema("n LONG")
    budget = Budget()
    budget.spend(64 * MB - 8 - 8 * (megabytes > 64))
    try:
        evaluate(compile_expression("n + 1", row, "select"), from_rows(row, [(1,)]), budget)
        budget.spend(8 * (megabytes > 64))
        budget.spend(megabytes > 64)
    except (RowFailure, BatchTooLargeError) as error:
        raise ExplorerError(str(error)) from None


def subtasks(count: int) -> None:
    one_task = compile_graph(job({"id": "o", "type": "sink", "inputs": ["s"]}))
    trial_plan._check_size(one_task, {"a": 1000, "b": count - 1000})


def channels(count: int) -> object:
    document = job({"id": "r", "type": "rebalance", "inputs": ["s"]})
    document["transformations"][0] = SOURCE | {"parallelism": 2}
    document["transformations"].append(
        {"id": "o", "type": "sink", "inputs": ["r"], "parallelism": 3 + (count > 10**6)}
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trial_plan, "MAX_CHANNELS", 6)
        return plan_trial(compile_graph(document, "1.20"))


def windows(count: int) -> object:
    window = {"assigner": "sliding", "time": "event", "size": count, "slide": 1}
    one = {"id": "w", "type": "window_all", "inputs": ["s"], "window": window}
    one["aggregate"] = {"n": "count(*)"}
    assert window_plans.MAX_WINDOWS == 100_000
    return plan_trial(compile_graph(job(one, {"id": "o", "type": "sink", "inputs": ["w"]})))


def greatest(count: int) -> object:
    keyed = {"id": "b", "type": "key_by", "inputs": ["s"], "keys": ["n"]}
    state = {"shape": "top", "column": "n", "size": count}
    return load_document(
        job(keyed, {"id": "p", "type": "keyed_process", "inputs": ["b"], "state": state})
    )


def answer(delay: int) -> object:
    return load_document(
        job({"id": "a", "type": "async", "inputs": ["s"], "wait": {"delay": delay}})
    )


def edges(count: int, most: int) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_limit, "MOST_EDGES", 20)
        return compile_graph(many(21 + (count > most)), most_edges=20)


def of_subtasks(count: int) -> dict[str, Any]:
    document = job({"id": "r", "type": "rebalance", "inputs": ["s"]})
    document["transformations"][0] = SOURCE | {"parallelism": count - 1}
    document["transformations"].append(
        {"id": "o", "type": "sink", "inputs": ["r"], "parallelism": 1}
    )
    return document


def message(length: int) -> None:
    text = str(ExplorerError("x" * length))
    if len(text) != length or "left out" in text:
        raise ExplorerError(text)


TRIES: dict[str, Try] = {
    "a document's file": lambda n, _: parse_document(
        json.dumps(job()).encode().ljust(5 * MB + (n > 5)), name="x.json"
    ),
    "a document": lambda n, _: parse_document(json.dumps(many(n)).encode(), name="x.json"),
    "depth of nested lists and mappings": lambda n, _: nested(n),
    "values that YAML aliases expand to": lambda n, _: aliased(n),
    "an id": lambda n, _: load_document({"transformations": [SOURCE | {"id": "x" * n}]}),
    "a name or a uid": lambda n, _: load_document(
        {"transformations": [SOURCE | {"name": "x" * n}]}
    ),
    "a StreamGraph, in the library": lambda n, _: edges(n, 500_000),
    "a StreamGraph, on a page": lambda n, _: edges(n, OWN.edges),
    "a link": lambda n, _: linked(n),
    "a savepoint's metadata": lambda n, _: load_savepoint(savepoint(n)),
    "a row": lambda n, _: columns(n),
    "an expression": lambda n, _: mapped("n".ljust(n)),
    "depth of parentheses in an expression": lambda n, _: mapped("(" * n + "n" + ")" * n),
    "a pattern": lambda n, _: pattern(n),
    "a generated skewed column": lambda n, _: skewed(n),
    "a line or row of a file": line,
    "depth of nested values in JSON lines": nested_json,
    "a folder that a source reads": files,
    "a row in a trial": lambda n, _: row_of(n),
    "an operator's output for one batch": lambda n, _: made(n),
    "a trial": lambda n, _: subtasks(n),
    "a trial's edges": lambda n, _: channels(n),
    "windows of one record": lambda n, _: windows(n),
    "a key's greatest rows": lambda n, _: greatest(n),
    "an asynchronous answer": lambda n, _: answer(n),
    "a preview": lambda n, _: preview(of_subtasks(n)),
    "a traced run": lambda n, _: follow(of_subtasks(n)),
    "a message": lambda n, _: message(n),
}
ELSEWHERE = {
    "reading a file's columns: memory": (
        "tests/engine/rows/sources/test_columns.py::test_memory_is_bounded"
    ),
    "reading a file's columns: time": "tests/engine/rows/sources/test_columns.py::"
    "test_a_process_that_runs_too_long_is_ended",
    "files that a visitor uploads": "tests/pages/test_public.py::"
    "test_files_up_to_the_limit_are_stored_and_their_uploads_are_freed",
    "a savepoint": "tests/savepoints/test_loading.py::"
    "test_as_many_operators_are_read_as_a_document_may_have",
    "uploads of one page": "tests/components/test_uploads.py::test_a_page_may_hold_so_many_bytes",
    "uploads of all pages": "tests/components/test_uploads.py::"
    "test_all_pages_together_may_hold_so_many_bytes",
    "a loop in a trial: rounds": "tests/engine/task/test_loop.py::test_a_loop_without_end_is_ended",
    "a loop in a trial: records": "tests/engine/task/test_loop.py::"
    "test_a_loop_may_run_as_many_rounds_as_are_allowed",
    "rows of a sink to download": "tests/engine/spark/test_outputs.py::"
    "test_a_part_that_is_too_large_is_reported_and_not_there",
    "trials of a visitor that wait or run": "tests/engine/spark/test_queue.py::"
    "test_an_owner_has_so_many_trials_and_no_more",
    "trials of an address that wait or run": "tests/engine/spark/test_turns.py::"
    "test_an_address_and_all_together_have_so_many_trials",
    "trials of a page that wait or run": "tests/engine/spark/test_turns.py::"
    "test_an_address_and_all_together_have_so_many_trials",
    "a trial from a page": "tests/engine/test_trials.py::",
    "a trial from a page that others reach: time": "tests/engine/test_trials.py::",
    "a trial from a page that others reach: rows of a source": "tests/engine/preview/"
    "test_first_rows.py::test_a_source_ends_after_its_first_rows",
    "a preview: rows of a source": "tests/engine/",
    "a traced run: rows of a source": "tests/engine/preview/test_record_tracing.py::"
    "test_of_ten_thousand_rows_that_become_one_some_are_reported_and_all_counted",
    "a traced run: records through channels": "tests/engine/preview/test_record_tracing.py::"
    "test_a_job_of_many_edges_reads_fewer_rows_and_ends_at_so_many_transfers",
    "a preview: CPU time": "tests/engine/preview/test_preview.py::",
    "a traced run: CPU time": "tests/engine/preview/test_preview.py::",
    "pages of an address": "tests/components/test_connections.py::"
    "test_an_address_has_so_many_pages_open_and_others_have_theirs",
    "pages of all addresses": "tests/components/test_open_pages.py::"
    "test_all_addresses_together_have_so_many_pages",
    "clicks of an address at once; further ones wait": "tests/components/test_budget.py::"
    "test_an_address_has_few_requests_at_once_and_a_queue_with_an_end",
    "clicks of an address that wait": "tests/components/test_budget.py::"
    "test_an_address_has_few_requests_at_once_and_a_queue_with_an_end",
    "memory of the server, beyond which pages give up their undo steps": "tests/components/"
    "test_connections.py::"
    "test_beyond_the_servers_memory_a_page_gives_up_its_undo_steps_and_not_its_document",
    "the head of a request: time": "tests/components/test_connections.py::"
    "test_a_head_that_does_not_end_is_closed",
    "connections without a whole head": "tests/components/test_connections.py::"
    "test_of_too_many_unfinished_heads_the_oldest_is_closed",
    "a body or an answer that goes on by 20 KB: time": "tests/components/test_connections.py::"
    "test_a_body_that_arrives_in_drops_is_closed",
    "unfinished bodies and unread answers": "tests/components/test_connections.py::"
    "test_of_too_many_unfinished_bodies_the_one_without_progress_longest_is_closed",
    "a message of a browser": "tests/components/test_connections.py::"
    "test_a_message_that_is_too_large_is_refused_at_its_head",
    "a message of a browser: time": "tests/components/test_connections.py::"
    "test_a_message_that_does_not_end_is_closed",
    "unfinished messages of all browsers": "tests/components/test_connections.py::"
    "test_unfinished_messages_are_bounded_in_total",
    "a click: CPU time": "tests/components/test_budget.py::test_work_beyond_its_budget_is_ended",
    "a click: growth of memory": "tests/components/test_budget.py::test_memory_alone_ends_work",
    "a click on a page that others reach: CPU time": "tests/components/test_budget.py::",
    "a click on a page that others reach: growth of memory": "tests/components/test_budget.py::",
    "clicks of an address on a public page in a minute": "tests/components/test_budget.py::"
    "test_the_requests_of_an_address_share_a_minute",
}
"""What is tried where the thing that it bounds runs."""


def savepoint(megabytes: int) -> bytes:
    """Bytes that are no savepoint, of just the size that is looked at, or one more."""
    return b"x" * (20 * MB + (megabytes > 20))


@pytest.mark.slow
@for_each("name", TRIES)
def test_a_limit_holds_at_its_edge_and_refuses_one_beyond(name: str, tmp_path: Path) -> None:
    edge = limits_of(name)
    if name == "a savepoint's metadata":
        with pytest.raises(ExplorerError, match="this is no savepoint"):
            TRIES[name](edge, tmp_path)
    else:
        TRIES[name](edge, tmp_path)

    with pytest.raises((ExplorerError, TooLargeError)) as error:
        TRIES[name](edge + 1, tmp_path)
    assert "this is no savepoint" not in str(error.value)


def test_every_limit_of_the_table_is_tried() -> None:
    assert {*TRIES, *ELSEWHERE} == {one.name for one in limits.LIMITS}
    for place in ELSEWHERE.values():
        file, _, test = place.partition("::")
        assert (ROOT / file).exists()
        assert not test or f"def {test}(" in (ROOT / file).read_text()


def test_a_public_page_gives_no_more_than_a_hosted_one_and_that_no_more_than_ones_own() -> None:
    for less, more in ((PUBLIC, HOSTED), (HOSTED, OWN)):
        assert less.trials <= more.trials
        assert less.seconds <= more.seconds
        assert less.data_bytes <= more.data_bytes
        assert less.written_bytes <= more.written_bytes
        assert less.edges <= more.edges
        assert less.work_seconds <= more.work_seconds
        assert less.work_bytes <= more.work_bytes
        assert less.preview_seconds <= more.preview_seconds
        assert less.traced_seconds <= more.traced_seconds
        assert less.transfers <= more.transfers
        assert less.rows is not None
        assert more.rows is None or less.rows <= more.rows
