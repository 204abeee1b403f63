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


def _steps(text: str, **fields: dict[str, Any]) -> list[Step]:
    """Transformations as ``id: type input, input`` each, with further fields by ID."""
    steps = []
    for line in text.split("; "):
        id, _, called = line.partition(": ")
        type_, _, read = called.partition(" ")
        step: Step = {"id": id, "type": type_} | ({} if type_ in _UNNAMED else {"name": id})
        steps.append(step | ({"inputs": read.split(", ")} if read else {}) | fields.get(id, {}))
    return steps


_NETWORK: Final = (
    "s: legacy_source; a: map s; k: key_by a; r: reduce k; r out: sink r; b: map a; b out: sink b; "
    "even: rebalance b; far: map even; far out: sink far; too: rebalance a; last: map too; "
    "last out: sink last"
)
_SIDES: Final = (
    "s: legacy_source; p: process s; late: side_output p; odd: side_output p; late out: sink late; "
    "away: rebalance odd; odd out: sink away; m: map p; m out: sink m"
)
_MANY: Final = (
    "s: source; t: source; w: legacy_source; even: rebalance w; multi: multiple_input s, even, t; "
    "m: map multi; away: rebalance multi; out: sink m; far: map away; far out: sink far"
)
_FAN: Final = (
    "s: legacy_source; p: process s; odd: side_output p; away: rebalance odd; odd out: sink away; "
    "e: map s; even: rebalance e; one: map even; one out: sink one; k: key_by e; r: reduce k; "
    "r out: sink r"
)
_LOOP: Final = (
    "s: legacy_source; i: iterate s; a: map i; b: filter a; even: rebalance b; "
    "c: close_iteration even; out: sink a"
)
_LATE: Final[Step] = {"tag": "late"}
_ODD: Final[Step] = {"tag": "odd"}
_WITH_SOURCES: Final[Step] = {"chaining_strategy": "HEAD_WITH_SOURCES"}
_INSIDE: Final = {
    "chain": _steps("s: legacy_source; a: map s; b: filter a; out: sink b"),
    "chain of a new source": _steps("s: source; a: map s; b: filter a; out: sink b"),
    "branches": _steps(
        "s: legacy_source; a: map s; b: map a; b2: map b; c: map a; d: map a; b out: sink b2; "
        "c out: sink c; d out: sink d"
    ),
    "network outputs": _steps(_NETWORK),
    "side outputs": _steps(_SIDES, late=_LATE, odd=_ODD),
    "a side output alone": _steps(
        "s: legacy_source; p: process s; late: side_output p; late out: sink late", late=_LATE
    ),
    "two inputs": _steps(
        "s: legacy_source; t: legacy_source; even: rebalance t; c: co_map s, even; m: map c; "
        "out: sink m"
    ),
    "union": _steps("s: legacy_source; t: legacy_source; u: union s, t; m: map u; out: sink m"),
    "many inputs": _steps(_MANY, multi=_WITH_SOURCES),
    "many inputs over the network": _steps(
        "s: legacy_source; t: legacy_source; w: legacy_source; multi: multiple_input s, t, w; "
        "out: sink multi"
    ),
    "committer": _steps("s: legacy_source; m: map s; out: sink_v2 m", out={"committer": True}),
    "broadcast": _steps("s: legacy_source; every: broadcast s; m: map every; out: sink m"),
    "a fan": _steps(_FAN, odd=_ODD),
    "iteration": _steps(_LOOP, i={"max_wait": 60_000}, c={"iteration": "i"}),
}
_LIVES: Final = {
    "chain": _steps(
        "s: legacy_source; a: map s; b: map a; even: rebalance b; d: map even; e: map d"
    ),
    "branches": _steps(
        "s: legacy_source; a: map s; b: map a; b2: map b; c: map a; even: rebalance a; "
        "d: map even; away: rebalance b2; e: map away"
    ),
    "side outputs": _steps(
        "s: legacy_source; p: process s; late: side_output p; l: map late; m: map p; n: map m",
        late=_LATE,
    ),
    "two inputs": _steps("s: legacy_source; t: legacy_source; c: co_map s, t; m: map c; n: map m"),
    "new source": _steps("s: source; a: map s; b: map a"),
    "many inputs": _steps(
        "s: source; w: legacy_source; even: rebalance w; multi: multiple_input s, even; "
        "m: map multi",
        multi=_WITH_SOURCES,
    ),
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
    *(job for name, steps in _INSIDE.items() for job in _inside(name, steps)),
    *(Asked(f"life: {name}", "life", _lifecycle(name, steps)) for name, steps in _LIVES.items()),
)


def runs_on(job: Asked, version: str) -> bool:
    """Whether a release has all that the job is made of."""
    at = release(version)
    has = {"source": at.flip27_sources, "multiple_input": at.multiple_input, "sink_v2": at.sink_v2}
    has["iterate"] = at.iterations
    return all(has.get(step["type"], True) for step in job.pipeline["transformations"])


__all__ = ["JOBS", "VERSIONS", "Asked", "runs_on"]
