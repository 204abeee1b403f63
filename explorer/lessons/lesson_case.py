"""Subject of a question: its pipeline, the changed pipeline, and both compilations."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from explorer.comparison.baseline import Baseline, baseline_of, compile_baseline
from explorer.errors import DocumentError, found_at
from explorer.flink.compiler import Compilation, compile_program, with_hashing_steps
from explorer.lessons.changing import change_words, changed
from explorer.lookup.edge_lookup import edges_between, operator_called
from explorer.model.document import Document
from explorer.model.lesson import PipelineChange, Question
from explorer.model.stream_graph import NodeId, StreamGraph
from explorer.restore.verdict import RestoreVerdict, restore

Result = TypeVar("Result")


class LessonProgram(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A lesson's pipeline, and what its questions have computed, once for all of them."""

    document: Document

    @cached_property
    def compilation(self) -> Compilation:
        """The pipeline as it is."""
        return compile_program(self.document)

    @cached_property
    def baseline(self) -> Baseline | None:
        """The pipeline's own baseline; None: it has none."""
        return baseline_of(self.document)

    @cached_property
    def _results(self) -> dict[tuple[str, bytes], Any]:
        """By what was computed and the change, as JSON."""
        return {}

    def once(
        self, label: str, change: PipelineChange | None, compute: Callable[[], Result]
    ) -> Result:
        """Return what an earlier question with the same change has computed, else compute it."""
        key = label, msgspec.json.encode(change)
        if key not in self._results:
            self._results[key] = compute()
        result: Result = self._results[key]
        return result


class LessonCase(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A question with the program that it is asked about."""

    program: LessonProgram
    question: Question
    path: str
    """The question's place in its lesson."""

    @property
    def document(self) -> Document:
        """The document without the change."""
        return self.program.document

    @property
    def before(self) -> Compilation:
        """The compilation without the change."""
        return self.program.compilation

    def once(self, label: str, compute: Callable[[], Result]) -> Result:
        """Compute what all questions with this change share."""
        return self.program.once(label, self.question.after, compute)

    @property
    def changed(self) -> Document:
        """The document with the change."""
        change = self.question.after
        if change is None:
            return self.document
        graph, path = self.before.stream_graph, f"{self.path}.after"
        return self.once("document", lambda: changed(self.document, graph, change, path))

    @property
    def compilation(self) -> Compilation:
        """The compilation with the change; raises ``DocumentError`` where Flink refuses it."""
        if self.question.after is None:
            return self.before
        changed = self.changed
        with found_at(f"{self.path}.after"):
            return self.compile(changed)

    def compile(self, changed: Document) -> Compilation:
        """Compile the changed document; raises ``ExplorerError`` where Flink refuses it."""
        return self.once("compilation", lambda: compile_program(changed, previous=self.before))

    @property
    def base(self) -> Baseline:
        """The document's baseline, else the document without the change."""
        baseline = self.program.baseline
        if baseline is None and self.question.after is None:
            problem = "the pipeline holds no baseline to measure from; say what changes with after"
            raise DocumentError(self.path, problem)
        return baseline or Baseline(name=self.document.name, document=self.document)

    @property
    def restored(self) -> RestoreVerdict:
        """Flink's verdict on a restore of the changed document from the base."""
        version = self.before.release.version
        deployed = self.program.once("base", None, lambda: compile_baseline(self.base, version))
        new = self.compilation
        return self.once("restore", lambda: restore(deployed, self.changed, new, with_fixes=False))

    @property
    def was(self) -> Compilation:
        """The program with which IDs are compared."""
        program = self.base.document
        if program is None:
            problem = "the baseline is a savepoint without its program: its IDs have no reason"
            raise DocumentError(self.path, problem)
        if program is self.document:
            return self.before
        version = program.flink or self.before.release.version
        return self.program.once("old", None, lambda: compile_program(program, version))

    @property
    def traced(self) -> tuple[Compilation, Compilation]:
        """``was`` and ``compilation`` with the steps that gave operators their IDs."""
        was, compilation, old = self.was, self.compilation, self.base.document or self.document
        old_compilation = self.program.once("traced", None, lambda: _trace(was, old))
        if compilation is was:
            return old_compilation, old_compilation
        return old_compilation, self.once(
            "traced with the change", lambda: _trace(compilation, self.changed)
        )

    @property
    def edge(self) -> int:
        """The position of the question's edge."""
        source, target = self.question.edge or ("", "")
        with found_at(f"{self.path}.edge"):
            return edges_between(self.compilation.stream_graph, source, target)[0]

    def node(self, graph: StreamGraph) -> NodeId:
        """The question's operator in one of the graphs."""
        with found_at(f"{self.path}.operator"):
            return operator_called(graph, self.question.operator)

    @property
    def change_sentence(self) -> str:
        """The beginning of the question: the change in words; empty where there is none."""
        change = self.question.after
        return "" if change is None else f"{change_words(change)}. "


def _trace(compilation: Compilation, document: Document) -> Compilation:
    if compilation.alternative is None:
        return with_hashing_steps(compilation)
    return compile_program(document, compilation.release.version, trace=True)
