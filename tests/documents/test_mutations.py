"""A legal document with something broken in it is either legal still or refused in one line."""

import copy
import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer import compile_graph
from explorer.checks import check_document
from explorer.checks.lock import lock_text, make_lock, read_lock
from explorer.cli.main import main
from explorer.documents import dump_json, dump_yaml, load_document, parse_document
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.steps.planned import OutputFolder
from explorer.errors import ExplorerError
from explorer.model.pipeline import Pipeline
from tests.many_cases import for_each
from tests.strategies import NAUGHTY, documents, pipelines

Result = TypeVar("Result")
WHOLE = settings.get_profile("mutations")
THIRD = settings(WHOLE, max_examples=max(WHOLE.max_examples // 3, 1))
"""For what is slower: each document is compiled, checked, planned and locked."""

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-2, 40_000),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(NAUGHTY),
    st.sampled_from(("s", "map", "window", "id", "inputs", "rows", "\ud800")),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


NEW_KEYS: Any = st.one_of(st.text(max_size=6), st.sampled_from((0, 5, -1, True, None, 1.5)))
"""Texts, and what YAML makes of keys that are not in quotes."""


def _empty(value: Any) -> Any:
    """The same kind of value with nothing in it."""
    return type(value)() if isinstance(value, dict | list | str) else None


def _deepened(value: Any) -> Any:
    for _ in range(1_200):
        value = [value]
    return value


def _lengthened(value: Any) -> Any:
    """A text that is longer than a file's name may be, or a list of many."""
    return value * 300 if isinstance(value, str | list) else 10**300


_WAYS: dict[str, Callable[[Any], Any]] = {
    "empty": _empty,
    "deepen": _deepened,
    "lengthen": _lengthened,
}


@st.composite
def broken(draw: st.DrawFn, legal: dict[str, Any]) -> dict[str, Any]:
    """The document with one value, anywhere in it, replaced, removed, added or doubled."""
    document: dict[str, Any] = copy.deepcopy(legal)
    here: Any = document
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return document
        key = draw(st.sampled_from(keys))
        inner = here[key]
        if not isinstance(inner, dict | list) or draw(st.integers(0, 2)) == 0:
            break
        here = inner
    how = draw(st.sampled_from(("replace", "remove", "add", "double", *_WAYS)))
    if how == "replace":
        here[key] = draw(VALUES)
    elif how in _WAYS:
        here[key] = _WAYS[how](here[key])
    elif how == "remove":
        del here[key]
    elif isinstance(here, dict):
        here[draw(NEW_KEYS)] = here.pop(key) if how == "double" else draw(VALUES)
    else:
        here.append(copy.deepcopy(here[key]) if how == "double" else draw(VALUES))
    return document


def attempt(work: Callable[[], Result]) -> tuple[Result | None, str]:
    """What the work gives, or the one kind of error that it may raise, as text."""
    try:
        return work(), ""
    except ExplorerError as error:
        return None, str(error)


@st.composite
def varied_records(draw: st.DrawFn) -> bytes:
    """A length, a tag and what a record may hold: texts' lengths in Flink's varying width."""
    parts = st.one_of(
        st.binary(max_size=3),
        st.lists(st.integers(0x80, 0xFF), min_size=1, max_size=9).map(bytes),
        st.integers(-(2**63), 2**63 - 1).map(lambda number: number.to_bytes(8, "big", signed=True)),
        st.sampled_from((b"\x00", b"\x05\x00t\x01h", b"\x01")),
    )
    body = draw(st.sampled_from((b"\x00", b"\x01", b"\x05", b""))) + b"".join(
        draw(st.lists(parts, max_size=5))
    )
    length = len(body) if draw(st.booleans()) else draw(st.integers(0, 40))
    return length.to_bytes(4, "big") + body


@WHOLE
@given(st.data())
def test_a_mutated_pipeline_loads_or_is_refused_in_one_harmless_line(data: st.DataObject) -> None:
    document = data.draw(broken(data.draw(documents(max_size=6, compiles=False))))
    pipeline, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    assert len(refusal) < 1_500
    if isinstance(pipeline, Pipeline):
        assert parse_document(dump_yaml(pipeline)) == pipeline
        attempt(lambda: compile_graph(pipeline, "1.20"))
        asked(pipeline)


@WHOLE
@given(st.data())
def test_a_mutated_stream_graph_compiles_or_is_refused_in_one_line(data: st.DataObject) -> None:
    legal = compile_graph(data.draw(pipelines(max_size=5)), "1.20").to_dict()
    document = data.draw(broken({"stream_graph": json.loads(json.dumps(legal["stream_graph"]))}))
    loaded, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    if loaded is not None:
        parse_document(dump_json(loaded))
        attempt(lambda: compile_graph(loaded, "1.20"))


@WHOLE
@given(st.data())
def test_a_mutated_plan_compiles_or_is_refused_in_one_line(data: st.DataObject) -> None:
    legal = compile_graph(data.draw(pipelines(max_size=5)), "1.20").to_dict()["execution_plan"]
    document = data.draw(broken(json.loads(json.dumps(legal))))
    loaded, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    if loaded is not None:
        attempt(lambda: compile_graph(loaded, "1.20"))


def asked(document: Any) -> None:
    """Ask of a document what is asked of one that was uploaded."""
    done, _ = attempt(lambda: compile_graph(document))
    attempt(lambda: check_document(document))
    if done is not None:
        attempt(lambda: plan_trial(done, data_dir=SAMPLES / "data", output=OUTPUT))
        attempt(lambda: done.execution_graph)
        assert read_lock(lock_text(make_lock(done))) == make_lock(done)


def as_yaml(values: dict[str, Any]) -> bytes:
    """The text of a lock; of one that is nested too deeply to be written a deep one."""
    try:
        return yaml.safe_dump(values).encode("utf-8", "surrogatepass")
    except RecursionError:
        return b"lock: 1\nchains: " + b"[" * 5_000


SAMPLES = Path(__file__).parents[2] / "sample_graphs"
OUTPUT = OutputFolder(path=SAMPLES)
"""Planning looks at the folder, and a run alone would write."""
CAPTURED = tuple(
    json.loads((SAMPLES / name).read_text(encoding="utf-8"))
    for name in ("16-airport-report.json", "17-late-flights-captured.json")
)


@THIRD
@given(st.data())
def test_a_mutated_captured_program_is_accepted_or_refused_in_one_line(data: st.DataObject) -> None:
    document = data.draw(broken(data.draw(st.sampled_from(CAPTURED))))
    loaded, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    if loaded is not None:
        parse_document(dump_json(loaded))
        asked(loaded)


COLUMNS: dict[str, Callable[[Random], Any]] = {
    "small": lambda random: random.randint(-5, 5),
    "large": lambda random: random.randint(-(2**33), 2**33),
    "huge": lambda random: random.choice((2**62, -(2**62), 10**20, 1)),
    "switch": lambda random: random.choice((True, False, None)),
    "text": lambda random: random.choice((*NAUGHTY, "", "FORWARD", "HEAD", "x" * 9_000)),
    "decimal": lambda random: random.choice((0.5, -1.5, float("nan"), float("inf"))),
    "empty": lambda random: random.choice(([], {}, "", 0)),
}


@pytest.mark.law
@for_each("values", COLUMNS)
@for_each("number", range(len(CAPTURED)))
def test_captured_records_with_another_value_each_are_accepted_or_refused_in_one_line(
    number: int, values: str
) -> None:
    for kind in ("nodes", "edges"):
        for field in CAPTURED[number]["stream_graph"][kind][0]:
            document, random = copy.deepcopy(CAPTURED[number]), Random(field)  # noqa: S311
            for record in document["stream_graph"][kind]:
                record[field] = COLUMNS[values](random)
            loaded, refusal = attempt(partial(load_document, document))

            assert refusal.isprintable()
            if loaded is not None:
                parse_document(dump_json(loaded))
                asked(loaded)


@THIRD
@given(st.data())
def test_a_mutated_expectation_is_accepted_or_refused_in_one_line(data: st.DataObject) -> None:
    legal = data.draw(documents(max_size=4, compiles=False))
    ids = [one["id"] for one in legal["transformations"]]
    names = st.sampled_from([*ids, "nobody"])
    legal["expect"] = {
        "chained": [[data.draw(names), data.draw(names)]],
        "apart": [[data.draw(names), data.draw(names)]],
        "tasks": 1,
        "slots": 1,
        "ids": {data.draw(names): "0" * 32},
    }
    legal["check"] = {
        "severities": {"ST01": "error"},
        "silenced": {"RL01": "why", "ST02": {data.draw(names): "why"}},
    }
    field = data.draw(st.sampled_from(("expect", "check")))
    document = legal | {field: data.draw(broken(legal[field]))}
    loaded, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    if isinstance(loaded, Pipeline):
        assert parse_document(dump_yaml(loaded)) == loaded
        asked(loaded)


@THIRD
@given(st.data())
def test_a_mutated_lock_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    document = load_document(data.draw(documents(max_size=4)))
    done, _ = attempt(lambda: compile_graph(document, "1.20"))
    if done is None:
        return
    legal = yaml.safe_load(lock_text(make_lock(done)))
    text = as_yaml(data.draw(broken(legal)))
    lock, refusal = attempt(lambda: read_lock(text))

    assert refusal.isprintable()
    if lock is not None:
        attempt(lambda: check_document(document, lock=lock, flink_version="1.20"))


ROWS = st.one_of(
    st.lists(VALUES, max_size=3).map(json.dumps),
    st.sampled_from(("[", "[[", '{"a":', "[1,")).map(lambda piece: piece * 5_000),
    st.text(max_size=20),
)


@WHOLE
@given(
    st.one_of(
        ROWS.map(lambda row: ["--row", row]),
        st.binary(max_size=30).map(lambda content: ["--hex", content.hex()]),
        varied_records().map(lambda content: ["--hex", content.hex()]),
    ),
    st.sampled_from(("word STRING, n LONG", "n LONG", "x DOUBLE, b BOOLEAN", "a STRING, b STRING")),
    st.booleans(),
)
def test_any_bytes_and_rows_are_inspected_or_refused_in_one_line(
    asked_for: list[str],
    schema: str,
    as_json: bool,  # noqa: FBT001
) -> None:
    words = ["inspect-bytes", *asked_for, "--schema", schema, *(["--json"] if as_json else [])]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    says = err.getvalue()

    assert code in (0, 1, 2)
    assert "bug of the explorer" not in says
    assert "Traceback" not in says
    out.getvalue().encode()


@for_each(
    ("text", "says"),
    [
        ("operators: {5: {id: a, name: b, max_parallelism: 1}}", "operators: a column or option"),
        ("operators: {a: {id: a, name: b}}", "operators.a.max_parallelism: is missing"),
        ("operators: {a: {}, b: {max_parallelism: x}}", "operators.a.id: is missing"),
        ("chains: [[5]]", "chains[0][0]: must be text"),
    ],
)
def test_an_error_in_a_lock_has_its_place(text: str, says: str) -> None:
    _, refusal = attempt(lambda: read_lock(f"lock: 1\nflink: '1.20'\n{text}\n"))

    assert says in refusal


def test_a_lock_of_long_names_is_read_back() -> None:
    source = {"id": "s", "type": "source", "name": "n" * 5_000}
    out = {"id": "o", "type": "sink", "inputs": ["s"]}
    done = compile_graph({"transformations": [source, out]})
    members = json.loads(json.dumps(done.to_dict()["stream_graph"]))
    members["nodes"][0]["transformation"] = None
    lock = make_lock(compile_graph(load_document({"stream_graph": members})))

    assert max(map(len, lock.operators)) > 5_000
    assert read_lock(lock_text(lock)) == lock


@WHOLE
@given(st.one_of(st.binary(), st.text("{}[]:,-&*!|>'\"%@`?#\n\t ab01\\").map(str.encode)))
def test_any_text_at_all_is_a_lock_or_refused_in_one_line(content: bytes) -> None:
    _, refusal = attempt(lambda: read_lock(b"lock: 1\n" + content))

    assert refusal.isprintable()


@WHOLE
@given(
    st.one_of(st.text(), st.binary(), st.text("{}[]:,-&*!|>'\"%@`?#\n\t ab01\\")),
    st.sampled_from(("a.yaml", "a.json", "a")),
)
def test_any_text_at_all_loads_or_is_refused_in_one_line(content: str | bytes, name: str) -> None:
    _, refusal = attempt(lambda: parse_document(content, name=name))

    assert refusal.isprintable()
    assert len(refusal) < 1_000


@WHOLE
@given(st.data())
def test_a_yaml_text_with_a_piece_cut_out_loads_or_is_refused_in_one_line(
    data: st.DataObject,
) -> None:
    text = dump_yaml(data.draw(pipelines(max_size=5, compiles=False)))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 10)))
    _, refusal = attempt(lambda: parse_document(text[:start] + text[end:], name="a.yaml"))

    assert refusal.isprintable()
