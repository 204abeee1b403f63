"""Updates a document's expectations and silenced findings when its transformations change."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from explorer.errors import EditError
from explorer.model.pipeline import Pipeline


def set_expectation(pipeline: Pipeline, field: str, value: int | None) -> Pipeline:
    """Expect another number of tasks or of slots; None: no longer."""
    if field not in {"tasks", "slots"}:
        msg = f"{field!r} is no number that a document expects; choose tasks or slots"
        raise EditError(msg)
    return replace(pipeline, expect=replace(pipeline.expect, **{field: value}))


def set_expected_id(pipeline: Pipeline, name: str, id: str | None) -> Pipeline:
    """Expect another ID of an operator; None: no longer."""
    ids = {
        operator: known_id for operator, known_id in pipeline.expect.ids.items() if operator != name
    }
    if id is not None:
        ids[name] = id
    return replace(pipeline, expect=replace(pipeline.expect, ids=ids))


def rename_expectations(pipeline: Pipeline, names: Mapping[str, str | None]) -> Pipeline:
    """All expectations of transformations under their new ids; nothing of those that have none.

    ``names``: by old id the new one, None where the transformation is gone.
    """
    expect, check = pipeline.expect, pipeline.check
    pairs = {field: tuple(_pairs(getattr(expect, field), names)) for field in ("chained", "apart")}
    silenced = {
        code: reasons if isinstance(reasons, str) else _by_name(reasons, names)
        for code, reasons in check.silenced.items()
    }
    text = replace(expect, **pairs, ids=_by_name(expect.ids, names))
    retained = {code: reasons for code, reasons in silenced.items() if reasons}
    return replace(pipeline, expect=text, check=replace(check, silenced=retained))


def _by_name(text: Mapping[str, str], names: Mapping[str, str | None]) -> dict[str, str]:
    named = ((names.get(old, old), what) for old, what in text.items())
    return {new: what for new, what in named if new is not None}


def _pairs(
    pairs: Iterable[tuple[str, str]], names: Mapping[str, str | None]
) -> Iterator[tuple[str, str]]:
    for source, target in pairs:
        first, another = names.get(source, source), names.get(target, target)
        if first is not None and another is not None:
            yield first, another
