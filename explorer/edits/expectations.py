"""What a document expects and silences follows its transformations when they change."""

from collections.abc import Collection

from msgspec.structs import replace

from explorer.errors import EditError
from explorer.model.pipeline import CheckSettings, Expectations, Pipeline


def set_expectation(pipeline: Pipeline, field: str, value: int | None) -> Pipeline:
    """Expect another number of tasks or of slots; None: no longer."""
    if field not in {"tasks", "slots"}:
        msg = f"{field!r} is no number that a document expects; choose tasks or slots"
        raise EditError(msg)
    return replace(pipeline, expect=replace(pipeline.expect, **{field: value}))


def set_expected_id(pipeline: Pipeline, name: str, id: str | None) -> Pipeline:
    """Expect another ID of an operator; None: no longer."""
    ids = {other: known for other, known in pipeline.expect.ids.items() if other != name}
    if id is not None:
        ids[name] = id
    return replace(pipeline, expect=replace(pipeline.expect, ids=ids))


def renamed(pipeline: Pipeline, old: str, new: str) -> Pipeline:
    """Everything that is said of a transformation, under its new id."""

    def name(word: str) -> str:
        return new if word == old else word

    expect, check = pipeline.expect, pipeline.check
    pairs = {
        field: tuple((name(one), name(other)) for one, other in getattr(expect, field))
        for field in ("chained", "apart")
    }
    ids = {name(word): id for word, id in expect.ids.items()}
    silenced = {
        code: reasons
        if isinstance(reasons, str)
        else {name(word): reason for word, reason in reasons.items()}
        for code, reasons in check.silenced.items()
    }
    return _saying(pipeline, replace(expect, **pairs, ids=ids), replace(check, silenced=silenced))


def without(pipeline: Pipeline, gone: Collection[str]) -> Pipeline:
    """The same, but nothing is said any more of transformations that are gone."""
    expect, check = pipeline.expect, pipeline.check
    pairs = {
        field: tuple(pair for pair in getattr(expect, field) if not set(pair) & set(gone))
        for field in ("chained", "apart")
    }
    ids = {word: id for word, id in expect.ids.items() if word not in gone}
    silenced = {
        code: reasons
        if isinstance(reasons, str)
        else {word: reason for word, reason in reasons.items() if word not in gone}
        for code, reasons in check.silenced.items()
    }
    kept = {code: reasons for code, reasons in silenced.items() if reasons}
    return _saying(pipeline, replace(expect, **pairs, ids=ids), replace(check, silenced=kept))


def _saying(pipeline: Pipeline, expect: Expectations, check: CheckSettings) -> Pipeline:
    if (expect, check) == (pipeline.expect, pipeline.check):
        return pipeline
    return replace(pipeline, expect=expect, check=check)
