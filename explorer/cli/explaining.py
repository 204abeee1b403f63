"""``explain``, ``steps``, ``whatis``, ``compare`` and ``releases``."""

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from explorer.cli import reachable
from explorer.cli.command import (
    DOCUMENT,
    FILE,
    FORMAT,
    FROM_FLINK,
    MATCHES,
    NEW,
    RELEASE,
    TARGET,
    argument,
    baseline_at,
    chosen_baseline,
    command,
    document_argument,
    document_at,
    note_scheduler,
    print_found,
    together,
    warn,
)
from explorer.cli.inputs.target_arguments import (
    new_target_options,
    old_target_options,
    target_options,
)
from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.comparison.baseline_matches import match_deployed
from explorer.comparison.chosen_matches import check_program, with_matches
from explorer.comparison.compare import compare
from explorer.comparison.release_changes import release_change, switch_rows
from explorer.errors import ExplorerError
from explorer.explain.data_set_text import data_set_text
from explorer.explain.edges import explain_edge
from explorer.explain.formers import drop_explained_ids, find_former_ids
from explorer.explain.task_internals import task_called, task_internals, task_internals_text
from explorer.explain.terminal import (
    answer_text,
    comparison_text,
    explanation_text,
    failures_text,
    release_change_text,
    steps_text,
    switches_text,
)
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.releases import VERSIONS
from explorer.flink.upgrades.restore_bugs import bug_sentences
from explorer.lookup.edge_lookup import edges_called
from explorer.lookup.whatis import whatis
from explorer.model.document import DataSetDocument, Document
from explorer.model.operator_ids import ID_CHANGES
from explorer.narration.chaining import as_members, narrate
from explorer.restore.saved_changes import SavedChange, saved_changes
from explorer.restore.verdict import check_restore, restore
from explorer.running.running_jobs import JobMatch, match_document

MOST_TRIED: Final = 30_000
"""Limit of edges with tried fixes, times operators: each try compiles the whole document again."""

_DATA_SET: Final = DataSetDocument.kind


BASELINE: Final = together(
    argument(
        "--baseline",
        metavar="SAVEPOINT|OLD",
        help="the baseline from which changes are measured; default: the document's own",
    ),
    FROM_FLINK,
)


@command(
    "explain",
    *DOCUMENT,
    FORMAT,
    argument(
        "--edge", metavar="A->B", help="one edge, by ids, names, node numbers or operator IDs"
    ),
    argument(
        "--failed",
        action="store_true",
        help="only the edges that do not chain, with the conditions that fail",
    ),
    argument(
        "--inside",
        metavar="TASK",
        help="task internals and lifecycle, by the task's ID or name, or by an operator of it",
    ),
    reachable.ROUTE,
    BASELINE,
    MATCHES,
)
def _explain(args: argparse.Namespace) -> None:
    document = document_at(args.file, new_target_options(args, args.baseline))
    compilation = compile_program(document, args.flink)
    warn(compilation.warnings)
    note_scheduler(compilation)
    asks = args.edge, args.inside, reachable.asked(args)
    if isinstance(document, DataSetDocument) and not any(asks):
        plan = document.data_set
        print_found(args, lambda: msgspec.to_builtins(plan), lambda: data_set_text(document))
    elif args.inside is not None:
        internals = task_internals(compilation, task_called(compilation, args.inside).id)
        print_found(args, internals.to_dict, lambda: task_internals_text(internals))
    elif (route := reachable.asked(args)) is not None:
        reachable.print_reached(args, compilation, *route)
    else:
        _explain_edges(args, compilation, document)


def _explain_edges(args: argparse.Namespace, compilation: Compilation, document: Document) -> None:
    """Explain the edges; with a baseline, also print the verdict and each fix's effect on IDs."""
    baseline, verdict, old_compilation = chosen_baseline(args, document), None, None
    if baseline is not None:
        old = compile_baseline(baseline, compilation.release.version)
        verdict = restore(old, document, compilation, matches=dict(args.match))
        old_compilation = old.program
    graph = compilation.stream_graph
    if args.edge is None:
        positions = list(range(len(graph.edges)))
    else:
        positions = edges_called(graph, args.edge, compilation.hashes)
    tried = 0 if args.failed else max(1, MOST_TRIED // max(1, len(graph.nodes)))
    edges = [
        explain_edge(compilation, edge, fixes=at < tried, since=old_compilation)
        for at, edge in enumerate(positions)
    ]
    if args.failed:
        edges = [edge for edge in edges if not edge.chained]
    elif len(edges) > tried:
        warn((f"changes were tried for the first {tried:,} edges; --edge A->B tries those of one",))
    head = f"{verdict.headline}\n" if verdict is not None else ""

    def members() -> object:
        builtins = msgspec.to_builtins(edges)
        for fix in (fix for edge in builtins for fix in edge["fixes"]):
            del fix["pipeline"]
            fix["chains"] = fix.pop("solved")
        return builtins if verdict is None else {"edges": builtins, "restore": verdict.to_dict()}

    to_text = failures_text if args.failed else explanation_text
    print_found(args, members, lambda: f"{head}{to_text(edges)}")


@command("steps", *DOCUMENT, FORMAT)
def _trace(args: argparse.Namespace) -> None:
    compilation = compile_program(
        document_at(args.file, target_options(args)), args.flink, trace=True
    )
    note_scheduler(compilation)
    steps = narrate(compilation)
    print_found(args, lambda: as_members(steps), lambda: steps_text(steps))


@command(
    "whatis",
    argument("text", metavar="HASH|TEXT", help="an ID, or a whole error message"),
    FILE,
    FORMAT,
    BASELINE,
    MATCHES,
)
def _whatis(args: argparse.Namespace) -> None:
    document = document_at(args.file, new_target_options(args, args.baseline))
    answer = whatis(args.text, document)
    with contextlib.suppress(ExplorerError):
        note_scheduler(compile_program(document))
    baseline = chosen_baseline(args, document)
    formers = (
        ()
        if baseline is None
        else find_former_ids(args.text, check_restore(baseline, document, matches=dict(args.match)))
    )
    answer = drop_explained_ids(answer, formers)
    wording = [former.sentence for former in formers]
    members = {**msgspec.structs.asdict(answer), "baseline": wording}
    print_found(args, lambda: members, lambda: answer_text(answer, wording))


@command(
    "compare",
    document_argument("old"),
    NEW,
    RELEASE,
    MATCHES,
    FORMAT,
)
def _compare(args: argparse.Namespace) -> None:
    new = baseline_at(args.new, new_target_options(args, args.old))
    old = baseline_at(args.old, old_target_options(args, args.old, args.new, new.release))
    sides = [old, new]
    documents = [side.document for side in sides if side.document is not None]
    if len(documents) < len(sides):
        _compare_savepoints(args, sides)
        return
    # A DataSet program has the tasks of a job, and is none.
    jobs = [
        document.submitted
        for document in documents
        if document.submitted and document.kind != _DATA_SET
    ]
    programs = [
        document for document in documents if not document.submitted or document.kind == _DATA_SET
    ]
    if jobs and programs:
        chosen = args.flink and programs[0].kind != _DATA_SET
        program = programs[0].under(args.flink) if chosen else programs[0]
        _compare_with_job(args, match_document(jobs[0], program), sides)
        return
    _compare_programs(args, sides[0], documents[0], documents[1])


def _compare_with_job(args: argparse.Namespace, match: JobMatch, sides: list[Baseline]) -> None:
    verdict = None
    if args.match and sides[1].document is not None:
        new, matches = sides[1].document, dict(args.match)
        verdict = restore(sides[0], new, compile_program(new), matches=matches)
    head = [verdict.headline] if verdict else []
    members = {"restore": verdict.to_dict()} if verdict else {}
    print_found(
        args,
        lambda: {**match.to_dict(), **members},
        lambda: "\n".join([match.sentence, *match.differences, *head]),
    )


def _compare_programs(
    args: argparse.Namespace, side: Baseline, document: Document, new: Document
) -> None:
    new_compilation = compile_program(new, args.flink)
    note_scheduler(new_compilation)
    old = compile_baseline(side, new_compilation.release.version)
    verdict = restore(old, new, new_compilation, matches=dict(args.match))
    old_compilation = old.program or compile_program(document)
    pairs = old.matched_nodes(verdict.matches)
    comparison = compare(old_compilation, new_compilation, pairs, (document, new))
    names = Path(args.old).name, Path(args.new).name
    print_found(
        args,
        lambda: {**msgspec.to_builtins(comparison), "restore": verdict.to_dict()},
        lambda: f"{comparison_text(comparison, *names)}\n{verdict.headline}",
    )


def _compare_savepoints(args: argparse.Namespace, sides: list[Baseline]) -> None:
    """Compare a savepoint and another side by operator IDs and, with a new program, by matches."""
    (old_baseline, new_baseline), matches = sides, dict(args.match)
    new = compile_baseline(new_baseline, args.flink)
    if new.program is None or new_baseline.document is None:
        check_program(matches)
        old, result = compile_baseline(old_baseline, args.flink), {}
    else:
        old = compile_baseline(old_baseline, new.program.release.version)
        old = with_matches(old, new.program, matches)
        result = match_deployed(old, new_baseline.document, new.program)
    changes = saved_changes(old, new, result)
    lines = [line for change in changes for line in _saved_lines(change)]
    print_found(args, lambda: changes, lambda: "\n".join(lines))


def _saved_lines(change: SavedChange) -> Iterator[str]:
    """An operator in both savepoints, then the bytes of its state that are not the same."""
    amounts = dict.fromkeys(part for part in (change.before, change.after) if part)
    ids = f"{change.operator_id}{change.new_id_text}"
    yield f"{ID_CHANGES[change.change]:<10}{ids}  {change.name}  {' -> '.join(amounts)}"
    for size in change.sizes:
        if size.change != "same" or size.new_states or size.gone_states:
            yield f"{'':<10}{size.sentence}"


_BUGS: Final = "Bugs of restores:"


@command(
    "releases",
    argument("file", metavar="FILE", nargs="?", help="a document; without one, the general table"),
    TARGET,
    argument(
        "--from",
        dest="first",
        metavar="RELEASE",
        default=VERSIONS[0],
        help="the first release, with its patch level where bugs of restores count, as 1.20.1",
    ),
    argument("--to", dest="last", metavar="RELEASE", default=VERSIONS[-1], help="the last release"),
    FORMAT,
)
def _releases(args: argparse.Namespace) -> None:
    if args.file is None:
        rows, bugs = switch_rows(args.first, args.last), bug_sentences(args.first, args.last)
        bug_rows = [{"name": "restore bug", "about": bug} for bug in bugs]
        text = "\n".join((switches_text(rows), _BUGS, *bugs))
        print_found(args, lambda: [*rows, *bug_rows], lambda: text)
        return
    change = release_change(document_at(args.file, target_options(args)), args.first, args.last)
    bugs = bug_sentences(args.first, args.last, only_affected=True)
    members = {
        "from": change.first,
        "to": change.last,
        "changes": list(change.sentences()),
        "restore_bugs": bugs,
    }
    lines = (release_change_text(change), *((_BUGS, *bugs) if bugs else ()))
    print_found(args, lambda: members, lambda: "\n".join(lines))
