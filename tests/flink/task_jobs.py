"""The jobs with recorded running tasks: what each is to show of a ``StreamTask``."""

from typing import Any, Final, Literal, NamedTuple

from explorer.flink.releases import VERSIONS, release

Step = dict[str, Any]


class Asked(NamedTuple):
    """A job, and what its tasks are asked."""

    name: str
    ask: Literal["inside", "life"]
    pipeline: dict[str, Any]


_UNNAMED: Final = {
    *("key_by", "rebalance", "broadcast", "side_output", "union"),
    *("iterate", "close_iteration"),
}


def _step(id: str, type: str, *inputs: str, **fields: Any) -> Step:
    named = {} if type in _UNNAMED else {"name": id}
    given = {"inputs": list(inputs)} if inputs else {}
    return {"id": id, "type": type, **named, **given, **fields}


def _chain(source: str) -> list[Step]:
    return [
        _step("s", source),
        _step("a", "map", "s"),
        _step("b", "filter", "a"),
        _step("out", "sink", "b"),
    ]


_BRANCHES: Final = [
    _step("s", "legacy_source"),
    _step("a", "map", "s"),
    _step("b", "map", "a"),
    _step("b2", "map", "b"),
    _step("c", "map", "a"),
    _step("d", "map", "a"),
    _step("b out", "sink", "b2"),
    _step("c out", "sink", "c"),
    _step("d out", "sink", "d"),
]
_NETWORK: Final = [
    _step("s", "legacy_source"),
    _step("a", "map", "s"),
    _step("k", "key_by", "a"),
    _step("r", "reduce", "k"),
    _step("r out", "sink", "r"),
    _step("b", "map", "a"),
    _step("b out", "sink", "b"),
    _step("even", "rebalance", "b"),
    _step("far", "map", "even"),
    _step("far out", "sink", "far"),
    _step("too", "rebalance", "a"),
    _step("last", "map", "too"),
    _step("last out", "sink", "last"),
]
_SIDES: Final = [
    _step("s", "legacy_source"),
    _step("p", "process", "s"),
    _step("late", "side_output", "p", tag="late"),
    _step("odd", "side_output", "p", tag="odd"),
    _step("late out", "sink", "late"),
    _step("away", "rebalance", "odd"),
    _step("odd out", "sink", "away"),
    _step("m", "map", "p"),
    _step("m out", "sink", "m"),
]
_ONLY_SIDE: Final = [
    _step("s", "legacy_source"),
    _step("p", "process", "s"),
    _step("late", "side_output", "p", tag="late"),
    _step("late out", "sink", "late"),
]
_TWO: Final = [
    _step("s", "legacy_source"),
    _step("t", "legacy_source"),
    _step("even", "rebalance", "t"),
    _step("c", "co_map", "s", "even"),
    _step("m", "map", "c"),
    _step("out", "sink", "m"),
]
_UNION: Final = [
    _step("s", "legacy_source"),
    _step("t", "legacy_source"),
    _step("u", "union", "s", "t"),
    _step("m", "map", "u"),
    _step("out", "sink", "m"),
]
_MANY: Final = [
    _step("s", "source"),
    _step("t", "source"),
    _step("w", "legacy_source"),
    _step("even", "rebalance", "w"),
    _step("multi", "multiple_input", "s", "even", "t", chaining_strategy="HEAD_WITH_SOURCES"),
    _step("m", "map", "multi"),
    _step("away", "rebalance", "multi"),
    _step("out", "sink", "m"),
    _step("far", "map", "away"),
    _step("far out", "sink", "far"),
]
_MANY_OVER_NETWORK: Final = [
    _step("s", "legacy_source"),
    _step("t", "legacy_source"),
    _step("w", "legacy_source"),
    _step("multi", "multiple_input", "s", "t", "w"),
    _step("out", "sink", "multi"),
]
_COMMITTED: Final = [
    _step("s", "legacy_source"),
    _step("m", "map", "s"),
    _step("out", "sink_v2", "m", committer=True),
]
_BROADCAST: Final = [
    _step("s", "legacy_source"),
    _step("every", "broadcast", "s"),
    _step("m", "map", "every"),
    _step("out", "sink", "m"),
]
_FAN: Final = [
    _step("s", "legacy_source"),
    _step("p", "process", "s"),
    _step("odd", "side_output", "p", tag="odd"),
    _step("away", "rebalance", "odd"),
    _step("odd out", "sink", "away"),
    _step("e", "map", "s"),
    _step("even", "rebalance", "e"),
    _step("one", "map", "even"),
    _step("one out", "sink", "one"),
    _step("k", "key_by", "e"),
    _step("r", "reduce", "k"),
    _step("r out", "sink", "r"),
]
_LOOP: Final = [
    _step("s", "legacy_source"),
    _step("i", "iterate", "s", max_wait=60_000),
    _step("a", "map", "i"),
    _step("b", "filter", "a"),
    _step("even", "rebalance", "b"),
    _step("c", "close_iteration", "even", iteration="i"),
    _step("out", "sink", "a"),
]
_LIVES: Final = {
    "chain": [
        _step("s", "legacy_source"),
        _step("a", "map", "s"),
        _step("b", "map", "a"),
        _step("even", "rebalance", "b"),
        _step("d", "map", "even"),
        _step("e", "map", "d"),
    ],
    "branches": [
        _step("s", "legacy_source"),
        _step("a", "map", "s"),
        _step("b", "map", "a"),
        _step("b2", "map", "b"),
        _step("c", "map", "a"),
        _step("even", "rebalance", "a"),
        _step("d", "map", "even"),
        _step("away", "rebalance", "b2"),
        _step("e", "map", "away"),
    ],
    "side outputs": [
        _step("s", "legacy_source"),
        _step("p", "process", "s"),
        _step("late", "side_output", "p", tag="late"),
        _step("l", "map", "late"),
        _step("m", "map", "p"),
        _step("n", "map", "m"),
    ],
    "two inputs": [
        _step("s", "legacy_source"),
        _step("t", "legacy_source"),
        _step("c", "co_map", "s", "t"),
        _step("m", "map", "c"),
        _step("n", "map", "m"),
    ],
    "new source": [
        _step("s", "source"),
        _step("a", "map", "s"),
        _step("b", "map", "a"),
    ],
    "many inputs": [
        _step("s", "source"),
        _step("w", "legacy_source"),
        _step("even", "rebalance", "w"),
        _step("multi", "multiple_input", "s", "even", chaining_strategy="HEAD_WITH_SOURCES"),
        _step("m", "map", "multi"),
    ],
}


def _inside(name: str, steps: list[Step]) -> list[Asked]:
    reuse = {"configuration": {"pipeline.object-reuse": True}}
    return [
        Asked(name, "inside", {"name": name, "transformations": steps}),
        Asked(
            f"{name}, objects reused",
            "inside",
            {"name": name, "environment": reuse, "transformations": steps},
        ),
    ]


def _lifecycle(name: str, steps: list[Step]) -> dict[str, Any]:
    """With checkpoints, but where a source ends before the first one could start."""
    bounded = any(step["type"] == "source" for step in steps)
    checkpoints = {} if bounded else {"environment": {"checkpoint_interval": 300}}
    return {"name": name, **checkpoints, "transformations": steps}


JOBS: Final = (
    *_inside("chain", _chain("legacy_source")),
    *_inside("chain of a new source", _chain("source")),
    *_inside("branches", _BRANCHES),
    *_inside("network outputs", _NETWORK),
    *_inside("side outputs", _SIDES),
    *_inside("a side output alone", _ONLY_SIDE),
    *_inside("two inputs", _TWO),
    *_inside("union", _UNION),
    *_inside("many inputs", _MANY),
    *_inside("many inputs over the network", _MANY_OVER_NETWORK),
    *_inside("committer", _COMMITTED),
    *_inside("broadcast", _BROADCAST),
    *_inside("a fan", _FAN),
    *_inside("iteration", _LOOP),
    *(Asked(f"life: {name}", "life", _lifecycle(name, steps)) for name, steps in _LIVES.items()),
)


def runs_on(job: Asked, version: str) -> bool:
    """Whether a release has all that the job is made of."""
    at = release(version)
    has = {"source": at.flip27_sources, "multiple_input": at.multiple_input, "sink_v2": at.sink_v2}
    has["iterate"] = at.iterations
    return all(has.get(step["type"], True) for step in job.pipeline["transformations"])


__all__ = ["JOBS", "VERSIONS", "Asked", "runs_on"]
