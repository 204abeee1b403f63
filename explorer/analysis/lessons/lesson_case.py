"""Subject of a question: its pipeline, the changed pipeline, and both compilations."""

from functools import cached_property

import msgspec

from explorer.analysis.baseline import Baseline, baseline_of, compile_baseline
from explorer.analysis.edge_lookup import edges_between, operator_called
from explorer.analysis.lessons.changing import change_words, changed
from explorer.analysis.restore import Restore, restore
from explorer.errors import DocumentError, found_at
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document
from explorer.model.lesson import Question
from explorer.model.stream_graph import NodeId, StreamGraph


class LessonCase(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A question with the document that it is asked about; compilations are cached."""

    document: Document
    question: Question
    path: str
    """The question's place in its lesson."""

    @cached_property
    def before(self) -> Compilation:
        """The compilation without the change."""
        return compile_program(self.document, trace=True)

    @cached_property
    def changed(self) -> Document:
        """The document with the change."""
        change = self.question.after
        if change is None:
            return self.document
        graph = self.before.stream_graph
        return changed(self.document, graph, change, f"{self.path}.after")

    @cached_property
    def done(self) -> Compilation:
        """The compilation with the change; raises ``DocumentError`` where Flink refuses it."""
        if self.question.after is None:
            return self.before
        changed = self.changed
        with found_at(f"{self.path}.after"):
            return compile_program(changed, trace=True)

    @cached_property
    def base(self) -> Baseline:
        """The document's baseline, else the document without the change."""
        baseline = baseline_of(self.document)
        if baseline is None and self.question.after is None:
            problem = "the pipeline holds no baseline to measure from; say what changes with after"
            raise DocumentError(self.path, problem)
        return baseline or Baseline(name=self.document.name, document=self.document)

    @cached_property
    def restored(self) -> Restore:
        """Flink's verdict on a restore of the changed document from the base."""
        old = compile_baseline(self.base, self.before.release.version)
        return restore(old, self.changed, self.done, with_fixes=False)

    @cached_property
    def was(self) -> Compilation:
        """The program with which IDs are compared."""
        program = self.base.document
        if program is None:
            problem = "the baseline is a savepoint without its program: its IDs have no reason"
            raise DocumentError(self.path, problem)
        if program is self.document:
            return self.before
        return compile_program(program, program.flink or self.before.release.version, trace=True)

    @property
    def edge(self) -> int:
        """The position of the question's edge."""
        source, target = self.question.edge or ("", "")
        with found_at(f"{self.path}.edge"):
            return edges_between(self.done.stream_graph, source, target)[0]

    def node(self, graph: StreamGraph) -> NodeId:
        """The question's operator in one of the graphs."""
        with found_at(f"{self.path}.operator"):
            return operator_called(graph, self.question.operator)

    @property
    def change_sentence(self) -> str:
        """The beginning of the question: the change in words; empty where there is none."""
        change = self.question.after
        return "" if change is None else f"{change_words(change)}. "
