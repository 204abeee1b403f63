"""Writes a change into a user's YAML at its place; the rest stays as it is.

Comments, blank lines and the user's order and style stay wherever nothing changed. What
cannot be written in place, such as another order, makes the whole text anew; in both cases the text
then equals the document.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import yaml

from explorer.documents.loading import parse_document
from explorer.documents.text.writing import dump_yaml, flow_text, item_text, member_texts, to_values
from explorer.documents.text.yaml_text import LOADER
from explorer.errors import DocumentError
from explorer.model.pipeline import Pipeline, Transformation

_NAME: Final = "pipeline.yaml"


class _Change(NamedTuple):
    """The replacement of the text from ``start`` to ``end``."""

    start: int
    end: int
    words: str


class _NoPlaceError(Exception):
    """A YAML text without a place for a change."""


def changed_yaml(text: str, pipeline: Pipeline) -> str:
    """Return the text with each difference of ``pipeline`` written into it."""
    try:
        old_pipeline = parse_document(text, name=_NAME).pipeline
        if old_pipeline == pipeline:
            return text
        if old_pipeline is not None:
            root = yaml.compose(text, Loader=LOADER)
            page = _Page(text)
            changes = list(page.members(root, _head(old_pipeline), _head(pipeline)))
            value = page.value_of(root, "transformations")
            changes += page.items(value, old_pipeline.transformations, pipeline.transformations)
            for start, end, words in sorted(changes, reverse=True):
                text = text[:start] + words + text[end:]
            if parse_document(text, name=_NAME) == pipeline:
                return text
    except (DocumentError, yaml.YAMLError, _NoPlaceError):
        pass
    return dump_yaml(pipeline)


def _head(pipeline: Pipeline) -> dict[str, Any]:
    return {key: value for key, value in to_values(pipeline).items() if key != "transformations"}


class _Page:
    def __init__(self, text: str) -> None:
        self.text = text
        self.starts: list[int] = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def at(self, mark: Any) -> int:
        line, column = int(mark.line), int(mark.column)
        return self.starts[line] + column

    def end(self, node: Any) -> int:
        """Return where a node's last character ends; a block's mark is after trailing comments."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        return len(self.text[: self.at(node.end_mark)].rstrip())

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """The whole lines from the one that holds ``start`` to the one that holds ``end``."""
        first = self.text.rfind("\n", 0, start) + 1
        stop = self.text.find("\n", end)
        return first, len(self.text) if stop < 0 else stop + 1

    def value_of(self, node: Any, key: str) -> Any:
        for name, value in node.value:
            if name.value == key:
                return value
        raise _NoPlaceError

    def members(
        self, node: Any, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> Iterator[_Change]:
        """The changes of a mapping, member by member."""
        for key in old:
            if key not in new:
                yield self._remove_member(node, key)
            elif old[key] != new[key]:
                yield from self._replace_value(self.value_of(node, key), old[key], new[key])
        fresh = list(member_texts({key: value for key, value in new.items() if key not in old}))
        if fresh:
            yield self._add_members(node, fresh)

    def _replace_value(self, node: Any, old: Any, new: Any) -> Iterator[_Change]:
        if isinstance(node, yaml.MappingNode) and isinstance(old, dict) and isinstance(new, dict):
            yield from self.members(node, old, new)
        else:
            yield _Change(self.at(node.start_mark), self.end(node), flow_text(new))

    def _remove_member(self, node: Any, key: str) -> _Change:
        names = [name.value for name, _ in node.value]
        if key not in names or len(names) == 1:
            raise _NoPlaceError
        turn = names.index(key)
        name, value = node.value[turn]
        if not node.flow_style:
            return _Change(*self.lines(self.at(name.start_mark), self.end(value)), "")
        if turn == 0:
            return _Change(self.at(name.start_mark), self.at(node.value[1][0].start_mark), "")
        return _Change(self.end(node.value[turn - 1][1]), self.end(value), "")

    def _add_members(self, node: Any, fresh: Sequence[str]) -> _Change:
        if not node.value:
            raise _NoPlaceError
        end = self.end(node.value[-1][1])
        indent = "\n" + " " * node.value[0][0].start_mark.column
        if node.flow_style:
            return _Change(end, end, "".join(f", {item}" for item in fresh))
        # Before the transformations, which may be long, when they come last.
        if node.value[-1][0].value == "transformations":
            start = self.at(node.value[-1][0].start_mark)
            return _Change(start, start, "".join(f"{transformation}\n" for transformation in fresh))
        return _Change(end, end, "".join(f"{indent}{item}" for item in fresh))

    def items(
        self, node: Any, old: Sequence[Transformation], new: Sequence[Transformation]
    ) -> Iterator[_Change]:
        """The changes of the list of transformations, one by one, matched by their ids."""
        if len(old) == len(new):
            for item, old_transformation, new_transformation in zip(
                node.value, old, new, strict=True
            ):
                yield from self.members(
                    item, to_values(old_transformation), to_values(new_transformation)
                )
            return
        by_id = {transformation.id: transformation for transformation in new}
        ids, new_ids = ([item.id for item in side] for side in (old, new))
        common = [id for id in ids if id in by_id]
        common_ids = set(common)
        if node.flow_style or not common or common != [id for id in new_ids if id in common_ids]:
            raise _NoPlaceError
        places = dict(zip(ids, node.value, strict=True))
        for transformation in old:
            item = places[transformation.id]
            if transformation.id in common_ids:
                yield from self.members(
                    item, to_values(transformation), to_values(by_id[transformation.id])
                )
            else:
                yield _Change(*self.lines(self.at(item.start_mark), self.end(item)), "")
        yield from self._insert_items(node, places, common_ids, new)

    def _insert_items(
        self,
        node: Any,
        places: Mapping[str, Any],
        common_ids: set[str],
        new: Sequence[Transformation],
    ) -> Iterator[_Change]:
        """Insert each new item after its predecessor."""
        dash = "\n" + " " * node.start_mark.column + "- "
        behind: str | None = None
        words: dict[str | None, str] = {}
        for transformation in new:
            if transformation.id in common_ids:
                behind = transformation.id
            else:
                words[behind] = words.get(behind, "") + dash + item_text(transformation)
        for id, text in words.items():
            if id is None:
                raise _NoPlaceError
            end = self.end(places[id])
            end = self.lines(end, end)[1] - 1 if self.text[end:].strip(" \n") else end
            yield _Change(end, end, text)
