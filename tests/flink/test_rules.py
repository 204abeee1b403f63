"""The chaining rules, a row each: a pair of smallest programs in which it holds and fails."""

import json
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import Compilation, compile_graph
from explorer.edits import apply_change
from explorer.errors import ExplorerError
from explorer.flink.passes.chaining import chained_as_input, chained_for_hashing
from explorer.flink.rules import (
    BIT,
    DIFFERENT_MAX,
    EDGE_FACTS,
    NODE_FACTS,
    RULES,
    ChainingQuestion,
    bits_of,
    failed,
)
from explorer.model.changes import (
    Change,
    Proposal,
    ReplaceTransformation,
    SetEnvironment,
    SetField,
    SetOption,
    SetPartitioner,
)
from explorer.model.pipeline import Pipeline, Transformation
from tests.many_cases import for_each
from tests.strategies import RELEASES, pipelines

BY_CODE = {rule.code: rule for rule in RULES}


class Pair(NamedTuple):
    """Two programs that differ in what one rule looks at, in the last edge of each."""

    code: str
    sound: dict[str, Any]
    broken: dict[str, Any]
    values: tuple[str, str]
    """What the rule looked at in the one and in the other."""
    label: str
    advice: str
    fixes: tuple[tuple[str, Change], ...] = ()
    """What it proposes for the broken one: a label and a change each."""
    also_failing: tuple[str, ...] = ()
    """What cannot hold where this rule fails."""
    flink: str = "1.20"


def program(*transformations: dict[str, Any], **environment: Any) -> dict[str, Any]:
    return {"environment": environment, "transformations": list(transformations)}


def at(id: str, type: str, *inputs: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "type": type, **({"inputs": list(inputs)} if inputs else {}), **fields}


def line(
    source: dict[str, Any] | None = None, mapped: dict[str, Any] | None = None, **environment: Any
) -> dict[str, Any]:
    """A source and a map."""
    return program(
        {**at("s", "source"), **(source or {})},
        {**at("m", "map", "s"), **(mapped or {})},
        **environment,
    )


def between(*virtual: dict[str, Any], **environment: Any) -> dict[str, Any]:
    """A source and a map, and on the way what is given, the last of it called ``way``."""
    return program(at("s", "source"), *virtual, at("m", "map", "way"), **environment)


def exchange(mode: str) -> dict[str, Any]:
    way = at("way", "partition", "s", partitioner="FORWARD", exchange_mode=mode)
    return between(way, buffer_timeout=-1)


def loop(loops: str) -> dict[str, Any]:
    return program(
        at("s", "source"),
        at("it", loops, "s"),
        at("m", "map", "it"),
        *([at("again", "close_iteration", "m", iteration="it")] if loops == "iterate" else []),
    )


NO_CHANGE = "No single change of the document makes it hold."
MAXIMA = {DIFFERENT_MAX: False}

PAIRS = (
    Pair(
        code="CH01",
        sound=line(),
        broken=program(at("s", "source"), at("t", "source"), at("m", "co_map", "s", "t")),
        values=("1 input edge", "2 input edges"),
        label="several inputs",
        advice="No setting changes this: Co-Map reads several streams, so it starts a task of its "
        "own. Operators behind it can still chain to it.",
        flink="2.0",
    ),
    Pair(
        code="CH02",
        sound=line({"slot_sharing_group": "blue"}, {"slot_sharing_group": "blue"}),
        broken=line({"slot_sharing_group": "blue"}, {"slot_sharing_group": "red"}),
        values=("slot sharing groups 'blue' and 'blue'", "slot sharing groups 'blue' and 'red'"),
        label="slot sharing group blue / red",
        advice=NO_CHANGE,
        fixes=(
            (
                "Move m to slot sharing group 'blue'",
                SetField(id="m", field="slot_sharing_group", value="blue"),
            ),
            (
                "Move s to slot sharing group 'red'",
                SetField(id="s", field="slot_sharing_group", value="red"),
            ),
        ),
    ),
    Pair(
        code="CH03",
        sound=line({"chaining_strategy": "HEAD"}),
        broken=line({"chaining_strategy": "NEVER"}),
        values=("strategy HEAD", "strategy NEVER"),
        label="upstream strategy forbids chaining",
        advice="NEVER comes with the operator Source: Custom Source itself.",
        fixes=(("Remove NEVER from s", SetField(id="s", field="chaining_strategy", value=None)),),
    ),
    Pair(
        code="CH04",
        sound=line(None, {"type": "multiple_input"}),
        broken=line(None, {"type": "multiple_input", "chaining_strategy": "HEAD"}),
        values=("strategy HEAD_WITH_SOURCES", "strategy HEAD"),
        label="downstream strategy forbids chaining",
        advice="HEAD comes with the operator Multi itself.",
        fixes=(
            ("Remove HEAD from m", SetField(id="m", field="chaining_strategy", value=None)),
            (
                "Let m take its sources into its task",
                SetField(id="m", field="chaining_strategy", value="HEAD_WITH_SOURCES"),
            ),
        ),
    ),
    Pair(
        code="CH05",
        sound=line(None, {"type": "async"}),
        broken=line({"type": "legacy_source", "parallel": False}, {"type": "async"}),
        values=(
            "async wait operator yields, the chain does not start with a legacy source",
            "async wait operator yields, the chain starts with a legacy source",
        ),
        label="legacy source",
        advice="This release has no FLIP-27 source that could take the legacy source's place.",
        fixes=(
            (
                "Make s a FLIP-27 source",
                ReplaceTransformation(
                    transformation=Transformation(id="s", type="source", parallelism=1)
                ),
            ),
        ),
    ),
    Pair(
        code="CH06",
        sound=between(at("way", "forward", "s")),
        broken=between(at("way", "rescale", "s")),
        values=("partitioner FORWARD", "partitioner RESCALE"),
        label="",
        advice="Map requires the partitioner RESCALE.",
        fixes=(
            (
                "Remove the partitioner RESCALE from s → m",
                SetPartitioner(source="s", target="m", partitioner=None),
            ),
        ),
    ),
    Pair(
        code="CH07",
        sound=exchange("PIPELINED"),
        broken=exchange("BATCH"),
        values=("exchange mode PIPELINED", "exchange mode BATCH"),
        label="batch exchange",
        advice=NO_CHANGE,
        fixes=(
            (
                "Remove the BATCH exchange from way",
                SetField(id="way", field="exchange_mode", value="UNDEFINED"),
            ),
        ),
        flink="1.14",
    ),
    Pair(
        code="CH08",
        sound=line({"parallelism": 2}, {"parallelism": 2}),
        broken=line({"parallelism": 2}, {"parallelism": 3}),
        values=("parallelism 2 and 2", "parallelism 2 and 3"),
        label="parallelism 2 / 3",
        advice=NO_CHANGE,
        fixes=(
            ("Set parallelism of m to 2", SetField(id="m", field="parallelism", value=2)),
            ("Set parallelism of s to 3", SetField(id="s", field="parallelism", value=3)),
        ),
        also_failing=("CH06",),  # Flink inserts REBALANCE there
    ),
    Pair(
        code="CH09",
        sound=line({"max_parallelism": 64}, {"max_parallelism": 128}),
        broken=line({"max_parallelism": 64}, {"max_parallelism": 128}, configuration=MAXIMA),
        values=(
            "max parallelism 64 and 128, which may differ",
            "max parallelism 64 and 128, which may not differ",
        ),
        label="max parallelism 64 / 128",
        advice=NO_CHANGE,
        fixes=(
            (
                "Allow different max parallelism in a chain",
                SetOption(name=DIFFERENT_MAX, value=None),
            ),
            ("Set max parallelism of m to 64", SetField(id="m", field="max_parallelism", value=64)),
        ),
    ),
    Pair(
        code="CH10",
        sound=line(chaining=True),
        broken=line(chaining=False),
        values=("chaining on", "chaining off"),
        label="chaining is off",
        advice=NO_CHANGE,
        fixes=(("Turn chaining on", SetEnvironment(field="chaining", value=True)),),
    ),
    Pair(
        code="CH11",
        sound=loop("forward"),
        broken=loop("iterate"),
        values=(
            "SourceOperatorStreamTask and OneInputStreamTask",
            "OneInputStreamTask and StreamIterationTail",
        ),
        label="no operator",
        advice="Both ends of an iteration are tasks of their own; no setting changes this.",
        also_failing=("CH04",),  # without an operator there is no strategy that would allow it
    ),
    Pair(
        code="CH12",
        sound=line(),
        broken=program(
            at("s", "source"),
            at("t", "source"),
            at("way", "union", "s", "t"),
            at("m", "map", "way"),
        ),
        values=("1 edge on input 0", "2 edges on input 0"),
        label="union",
        advice="A union ends in the network: Map could chain if no other stream reached this "
        "input.",
        also_failing=("CH01",),  # who reads a union has several input edges
    ),
)

each_pair = pytest.mark.parametrize("pair", PAIRS, ids=[pair.code for pair in PAIRS])


def compiled(document: dict[str, Any], version: str) -> Compilation:
    return compile_graph(document, version)


def last(done: Compilation) -> tuple[int, ChainingQuestion]:
    """The verdicts of the last edge, and what the rules were asked about it."""
    return done.verdicts[-1], done.question(len(done.verdicts) - 1)


def codes(bits: int) -> list[str]:
    return [rule.code for rule in failed(bits)]


@each_pair
def test_a_rule_holds_in_one_program_and_alone_fails_in_the_other(pair: Pair) -> None:
    (sound, _), (broken, _) = (
        last(compiled(document, pair.flink)) for document in (pair.sound, pair.broken)
    )

    assert codes(sound) == []
    assert codes(broken) == sorted((pair.code, *pair.also_failing))


@each_pair
def test_a_rule_reports_the_values_that_it_compared(pair: Pair) -> None:
    questions = [last(compiled(document, pair.flink))[1] for document in (pair.sound, pair.broken)]

    assert tuple(map(BY_CODE[pair.code].values, questions)) == pair.values


@each_pair
def test_a_rule_reports_on_the_graph_what_cuts_the_edge(pair: Pair) -> None:
    _, question = last(compiled(pair.broken, pair.flink))
    label = BY_CODE[pair.code].label

    assert label.format(source=question.source, target=question.target) == pair.label


@each_pair
def test_a_rule_has_advice(pair: Pair) -> None:
    _, question = last(compiled(pair.broken, pair.flink))

    assert BY_CODE[pair.code].advice(question) == pair.advice


@each_pair
def test_a_rule_proposes_changes_as_data(pair: Pair) -> None:
    done = compiled(pair.broken, pair.flink)
    assert done.pipeline is not None

    proposals = BY_CODE[pair.code].fixes(last(done)[1], done.pipeline)
    assert tuple((each.label, each.change) for each in proposals) == pair.fixes


@for_each(("pair", "change"), [(pair, change) for pair in PAIRS for _, change in pair.fixes])
def test_with_a_change_the_rule_holds(pair: Pair, change: Change) -> None:
    done = compiled(pair.broken, pair.flink)
    assert done.pipeline is not None

    fixed = compile_graph(apply_change(done.pipeline, change), pair.flink)
    assert pair.code not in codes(fixed.verdicts[-1])


@pytest.mark.parametrize(
    ("code", "before", "since"),
    [("CH05", "1.10", "1.11"), ("CH09", "1.17", "1.18"), ("CH12", "1.11", "1.12")],
)
def test_a_rule_is_asked_from_the_release_on_that_has_it(
    code: str, before: str, since: str
) -> None:
    legacy = json.dumps(next(pair.broken for pair in PAIRS if pair.code == code))
    document = json.loads(legacy.replace('"source"', '"legacy_source"'))

    for version, asked in ((before, False), (since, True)):
        verdict = compiled(document, version).decisions[-1].verdicts[RULES.index(BY_CODE[code])]
        assert (verdict.code, verdict.asked, verdict.holds) == (code, asked, not asked)


@pytest.mark.parametrize(("version", "seen"), [("1.10", True), ("1.11", False)])
def test_an_old_hasher_does_not_see_a_batch_exchange(version: str, *, seen: bool) -> None:
    document = json.loads(json.dumps(exchange("BATCH")).replace('"source"', '"legacy_source"'))
    done = compiled(document, version)

    assert codes(done.verdicts[0]) == ["CH07"]
    assert chained_for_hashing(done.verdicts, done.release) == [seen]


@each_pair
def test_a_chained_source_is_asked_all_but_for_a_single_input(pair: Pair) -> None:
    done = compiled(pair.broken, pair.flink)

    assert chained_as_input(done.verdicts)[-1] == (pair.code == "CH01")


@pytest.mark.parametrize(("strategy", "failing"), [(None, ["CH05"]), ("HEAD", [])])
def test_a_yielding_operator_looks_for_the_head_of_its_chain(
    strategy: str | None, failing: list[str]
) -> None:
    mapped = at("m", "map", "s", **({"chaining_strategy": strategy} if strategy else {}))
    done = compiled(program(at("s", "legacy_source"), mapped, at("a", "async", "m")), "1.20")

    assert codes(done.verdicts[-1]) == failing


class Watched:
    """A record that writes down which of its fields are read, also by its properties."""

    def __init__(self, record: Any, fields: set[str]) -> None:
        self._record, self._fields = record, fields

    def __getattr__(self, name: str) -> Any:
        member = getattr(type(self._record), name)
        if isinstance(member, property) and member.fget is not None:
            return member.fget(self)
        self._fields.add(name)
        return getattr(self._record, name)


@each_pair
def test_the_rules_read_no_fields_but_the_facts_of_an_edge(pair: Pair) -> None:
    for document in (pair.sound, pair.broken):
        compilation = compiled(document, pair.flink)
        for edge in range(len(compilation.verdicts)):
            question = compilation.question(edge)
            nodes: set[str] = set()
            edges: set[str] = set()
            watched = msgspec.structs.replace(
                question,
                edge=Watched(question.edge, edges),
                source=Watched(question.source, nodes),
                target=Watched(question.target, nodes),
            )
            for rule in RULES:
                rule.holds(watched)

            assert nodes <= set(NODE_FACTS)
            assert edges <= {*EDGE_FACTS, "source", "target"}


def test_each_row_is_complete() -> None:
    for position, rule in enumerate(RULES):
        what, _, why = rule.reason.partition(". ")
        assert rule.code == f"CH{position + 1:02}" == PAIRS[position].code
        assert BIT[rule.code] == bits_of([rule]) == 1 << position
        assert failed(bits_of([rule])) == (rule,)
        assert what
        assert why.endswith(".")
    assert len({rule.title for rule in RULES}) == len({rule.reason for rule in RULES}) == len(RULES)


def test_one_rule_needs_no_label_since_the_partitioner_is_drawn() -> None:
    assert [rule.title for rule in RULES if not rule.label] == ["forward partitioning"]


@given(pipelines(max_size=8, iterations=True), st.sampled_from(RELEASES))
def test_whatever_fails_in_whatever_program_has_words_and_changes_that_are_data(
    pipeline: Pipeline, version: str
) -> None:
    try:
        done = compile_graph(pipeline, version)
    except ExplorerError:
        return
    for edge, bits in enumerate(done.verdicts):
        question = done.question(edge)
        for rule in failed(bits):
            assert rule.values(question)
            assert rule.advice(question).endswith(".")
            for proposal in rule.fixes(question, pipeline):
                written = msgspec.json.encode(proposal)
                assert msgspec.json.decode(written, type=Proposal) == proposal
                assert proposal.label
