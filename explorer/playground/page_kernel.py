"""The compiler behind the playground's page: it answers messages, as a notebook's kernel does.

A message is a JSON object with the member ``do``, an answer a JSON object with the widget's traits
that may have changed, and what the page shows beside the widget. Messages of the widget's browser
code are those of ``explorer.datastream.widget_traits``. Nothing here needs a browser: the page's
first answer is computed when the page is built.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from explorer.comparison.baseline import Baseline, baseline_of, load_baseline
from explorer.datastream.compiled import CompiledGraph
from explorer.datastream.shown_graph import (
    WidgetGraph,
    replace_document,
    select_element,
    show_document,
)
from explorer.datastream.widget_traits import OpenedProgram, scene_to_draw, steps_to_play
from explorer.documents import (
    Document,
    document_texts,
    document_values,
    dump_json,
    dump_yaml,
    parse_document,
)
from explorer.documents.samples import samples
from explorer.documents.text.link_text import pack_link, unpack_link
from explorer.documents.text.places import places
from explorer.documents.yaml_changes import changed_yaml
from explorer.drawing.view.selection import exists
from explorer.errors import DocumentError, ExplorerError, own_bug
from explorer.model.lesson import GROUPS, Lesson
from explorer.playground.reports import REPORTS
from explorer.savepoints.loading import is_metadata

Json: TypeAlias = dict[str, Any]
FIRST: Final = "01-word-count"
"""The sample that the page begins with."""
LONGEST_TEXT: Final = 1_000_000
"""Characters of a text that is edited in the page; a longer one is shown as a graph only."""
PICTURES: Final[Mapping[str, Callable[[CompiledGraph], str]]] = {
    "svg": CompiledGraph.to_svg,
    "html": CompiledGraph.to_html,
    "mermaid": CompiledGraph.to_mermaid,
    "dot": CompiledGraph.to_dot,
}
"""By ending of the file, what draws a graph."""


NO_SUCH_FILE: Final = "the page asked for a report or a file that there is not; reload the page"


class EditedText(msgspec.Struct, frozen=True, kw_only=True):
    """The text in the editor, and what is wrong with it."""

    text: str
    serial: int = 0
    """The number that the browser gave this text."""
    document: Document | None = None
    """The document of this text; None: it is faulty."""
    path: str = ""
    problem: str = ""

    def to_json(self, *, readonly: bool) -> Json:
        """The draft for the editor of the page, with the place of its fault."""
        marks = []
        if self.problem:
            (place,) = places(self.text, [self.path])
            position = {"line": place.line, "column": place.column}
            marks = [{**position, "path": self.path, "text": self.problem}]
        return {
            "label": "Document as JSON" if readonly else "Pipeline as YAML",
            "text": self.text,
            "readonly": readonly,
            "serial": self.serial,
            "marks": marks,
        }


class Kernel:
    """One visitor's program, its baseline, and what of them is shown."""

    _opened: OpenedProgram
    _graph: WidgetGraph
    _draft: EditedText
    _baseline: Baseline | None

    def __init__(self) -> None:
        self._open(*_sample(FIRST))
        self._playing = self._learning = False

    def answer_text(self, text: str) -> str:
        """Answer a message, both as JSON text, for a worker."""
        return msgspec.json.encode(self.answer(json.loads(text))).decode()

    def answer(self, message: Mapping[str, Any]) -> Json:
        """Apply what a message asks for; where it is refused, nothing has changed."""
        try:
            return self._apply(message)
        except ExplorerError as error:
            return self._state(refused=str(error))
        except Exception as error:  # noqa: BLE001 - a mistake of ours is one sentence too
            return self._state(refused=own_bug(error))

    def _apply(self, message: Mapping[str, Any]) -> Json:
        match dict(message):
            case {"do": "report" | "picture" | "document" | "compiled" | "link"}:
                return self._written(message)
            case {"do": "traits", "values": dict(values)}:
                self._set_traits(values)
            case {"do": "type", "text": str(text), "serial": int(serial)}:
                self._type(text, serial)
            case {"do": "sample" | "upload" | "follow" | "baseline" | "forget"}:
                self._load(message)
            case _:
                self._graph = self._opened.requested_step(message)(self._graph)
        return self._state()

    def _written(self, message: Mapping[str, Any]) -> Json:
        """What is written of the program, which changes nothing."""
        graph = self._graph
        match dict(message):
            case {"do": "report", "name": str(name)} if name in REPORTS:
                return {"report": {"name": name, **REPORTS[name](graph, self._baseline)}}
            case {"do": "picture", "ending": str(ending)} if ending in PICTURES:
                return self._file(ending, PICTURES[ending](graph.compiled))
            case {"do": "document"}:
                writers = document_texts(graph.document)
                ending = "yaml" if "yaml" in writers else "json"
                return self._file(ending, writers[ending]())
            case {"do": "compiled"}:
                members = msgspec.json.encode(graph.compiled.to_dict())
                return self._file("json", msgspec.json.format(members, indent=2).decode() + "\n")
            case {"do": "link"}:
                return {"link": pack_link({"document": document_values(graph.document)})}
            case _:
                raise ExplorerError(NO_SUCH_FILE)

    def _load(self, message: Mapping[str, Any]) -> None:
        match dict(message):
            case {"do": "sample", "key": str(key)}:
                self._open(*_sample(key))
            case {"do": "upload", "name": str(name), "content": str(content)}:
                self._upload(name, _decoded(content))
            case {"do": "follow", "link": str(link)}:
                values = json.dumps(unpack_link(link).get("document"))
                self._open(parse_document(values, name="link.json"))
            case {"do": "baseline", "name": str(name), "content": str(content)}:
                self._baseline = _baseline_of(name, _decoded(content))
            case {"do": "baseline", "current": True}:
                self._baseline = load_baseline(self._graph.document)
            case _:
                self._baseline = None

    def _open(self, document: Document, lesson: Lesson | None = None) -> None:
        self._graph = show_document(document)
        self._opened = OpenedProgram(document=document, lesson=lesson)
        self._draft = _draft_of(document)
        self._baseline = baseline_of(document)

    def _upload(self, name: str, content: bytes) -> None:
        """Open a document; a savepoint's metadata becomes the baseline."""
        if is_metadata(content):
            self._baseline = _baseline_of(name, content)
        else:
            self._open(parse_document(content, name=name))

    def _type(self, text: str, serial: int) -> None:
        """Compile the typed text; where it is faulty, the graph stays as it is."""
        try:
            document = parse_document(text[: LONGEST_TEXT + 1], name="pipeline.yaml")
            self._graph = replace_document(self._graph, document)
        except ExplorerError as error:
            path, problem = "transformations", str(error)
            if isinstance(error, DocumentError):
                path, problem = error.path, error.problem
            self._draft = EditedText(text=text, serial=serial, path=path, problem=problem)
        else:
            self._draft = EditedText(text=text, serial=serial, document=self._graph.document)

    def _set_traits(self, values: Mapping[str, Any]) -> None:
        """Select an element; open the steps or the lesson, which close each other."""
        if "_picked" in values:
            key = values["_picked"]
            known = isinstance(key, str) and exists(self._graph.compiled.view, key)
            self._graph = select_element(self._graph, key if known else None)
        if "playing" in values:
            self._playing = bool(values["playing"])
            self._learning = self._learning and not self._playing
        if "learning" in values:
            self._learning = bool(values["learning"])
            self._playing = self._playing and not self._learning

    def _state(self, refused: str = "") -> Json:
        """The widget's traits, the editor's text and the baseline's name."""
        graph = self._graph
        return {
            "traits": {
                "_scene": scene_to_draw(graph, refused, taught=self._opened.lesson is not None),
                "_picked": graph.picked,
                "playing": self._playing,
                "learning": self._learning,
                "_steps": steps_to_play(graph) if self._playing else None,
                "_lesson": self._opened.lesson_to_play(graph) if self._learning else None,
            },
            "editor": self._edited(),
            "baseline": self._baseline.name if self._baseline else None,
        }

    def _edited(self) -> Json | None:
        """The text with the edits made in the graph; None where it is too long to edit."""
        document, draft = self._graph.document, self._draft
        pipeline = document.pipeline
        if draft.document is not None and draft.document != document and pipeline:
            text = changed_yaml(draft.text, pipeline)
            self._draft = draft = EditedText(text=text, serial=draft.serial, document=document)
        readonly = pipeline is None
        return draft.to_json(readonly=readonly) if len(draft.text) <= LONGEST_TEXT else None

    def _file(self, ending: str, text: str) -> Json:
        ending = {"mermaid": "mmd"}.get(ending, ending)
        return {"file": {"name": f"{self._graph.document.name or 'graph'}.{ending}", "text": text}}


def sample_menu() -> list[Json]:
    """The samples for a menu: those with a lesson by its group, then the others."""
    groups: dict[str, list[Json]] = {group: [] for group in (*GROUPS, "samples")}
    for sample in samples():
        group = sample.lesson.group if sample.lesson else "samples"
        groups[group].append({"key": sample.key, "title": sample.numbered_title})
    return [{"group": group, "entries": entries} for group, entries in groups.items() if entries]


def _draft_of(document: Document) -> EditedText:
    pipeline = document.pipeline
    text = dump_yaml(pipeline) if pipeline else dump_json(document)
    return EditedText(text=text, document=document)


def _sample(key: str) -> tuple[Document, Lesson | None]:
    for sample in samples():
        if sample.key == key:
            return parse_document(sample.path.read_bytes(), name=sample.path.name), sample.lesson
    msg = "there is no such sample"
    raise ExplorerError(msg)


def _baseline_of(name: str, content: bytes) -> Baseline:
    """The deployed version: a document, or a savepoint's metadata."""
    side = load_baseline(content if is_metadata(content) else parse_document(content, name=name))
    return msgspec.structs.replace(side, name=name)


def _decoded(content: str) -> bytes:
    """The bytes of an uploaded file, which a message has as base64."""
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error:
        raise DocumentError(path="", problem="the upload was cut off; open it again") from None
