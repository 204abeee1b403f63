"""``savepoint``, ``restore`` and ``bridge``: a savepoint's content, and restores from it."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import asdict, replace

from explorer.cli.command import (
    ACCEPT_UNCHECKED,
    ALLOW_NON_RESTORED,
    FORMAT,
    MATCHES,
    NEW,
    RELEASE,
    TARGET,
    argument,
    baseline_at,
    command,
    document_at,
    print_found,
    write_document,
)
from explorer.cli.inputs.target_arguments import new_target_options, old_target_options
from explorer.comparison.baseline import compile_baseline
from explorer.documents.loading import read_file
from explorer.documents.rehearsals import parse_rehearsal
from explorer.drawing.view.one_line import one_line
from explorer.flink.compiler import compile_program
from explorer.restore.bridge import give_uids, pin_ids, verify
from explorer.restore.rehearsed_verdicts import with_rehearsal
from explorer.restore.restore_text import bridge_text, restore_text
from explorer.restore.saved_state import StateOwner, find_owners
from explorer.restore.suggested_matches import SuggestedMatches, suggest_matches
from explorer.restore.verdict import restore
from explorer.savepoints import OperatorState, Savepoint, load_savepoint
from explorer.savepoints.loading import MAX_METADATA
from explorer.targets.target_options import stdin_bytes
from explorer.wording import counted


@command(
    "savepoint",
    argument(
        "path", metavar="PATH", help="a savepoint's folder, its _metadata file, or - for stdin"
    ),
    argument("file", metavar="FILE", nargs="?", help="a document that names each state's operator"),
    TARGET,
    FORMAT,
)
def _savepoint(args: argparse.Namespace) -> None:
    savepoint = load_savepoint(stdin_bytes(MAX_METADATA) if args.path == "-" else args.path)
    state_owners = (
        find_owners(savepoint, document_at(args.file, new_target_options(args, args.path)))
        if args.file
        else ()
    )
    text = [
        {"sentence": state_owner.sentence, "found_by": state_owner.found_by}
        for state_owner in state_owners
    ]
    members = savepoint.to_dict() | ({"origins": text} if args.file else {})
    print_found(args, lambda: members, lambda: "\n".join(_lines(savepoint, state_owners)))


def _lines(savepoint: Savepoint, state_owners: tuple[StateOwner, ...]) -> Iterator[str]:
    yield (
        f"checkpoint {savepoint.checkpoint_id}, metadata version {savepoint.version}, keyed state "
        f"{savepoint.format}, {savepoint.transfer}, {counted(len(savepoint.operators), 'operator')}"
    )
    text = [f"  {state_owner.sentence}" for state_owner in state_owners]
    for position, saved in enumerate(savepoint.operators):
        name = f"  {saved.name}" if saved.name else ""
        uid = f"  uid {saved.uid}" if saved.uid else ""
        yield f"{saved.operator_id}{name}{uid}"
        yield (
            f"  ×{saved.parallelism} of at most {saved.max_parallelism}, "
            f"{saved.state_bytes:,} bytes"
            + (f", {' and '.join(saved.kinds)} state" if saved.kinds else "")
            + (f": {', '.join(saved.state_names)}" if saved.state_names else "")
        )
        yield from _type_lines(saved)
        yield from text[position : position + 1]


def _type_lines(operator: OperatorState) -> Iterator[str]:
    schema = operator.schema
    if schema.key is not None:
        yield f"    key: {one_line(schema.key.words)}"
    for state in schema.states:
        if state.kind != "TIMERS":
            yield f"    {one_line(state.name)}: {one_line(state.words)}"
    yield from (f"    {one_line(problem)}" for problem in schema.problems)


OLD: Final = argument(
    "old",
    metavar="SAVEPOINT|OLD",
    help="a savepoint's folder or its _metadata file, an older document, or - for stdin",
)


@command(
    "restore",
    OLD,
    NEW,
    RELEASE,
    ALLOW_NON_RESTORED,
    ACCEPT_UNCHECKED,
    argument(
        "--rehearsal",
        metavar="FILE",
        help="what rehearse --json printed for the same savepoint and program: it decides what a "
        "static comparison leaves open",
    ),
    MATCHES,
    FORMAT,
)
def _restore(args: argparse.Namespace) -> int:
    options = new_target_options(args, args.old)
    document = document_at(args.new, options)
    new = compile_program(document, args.flink)
    baseline = baseline_at(args.old, old_target_options(args, args.old, args.new, document.flink))
    old, configuration = compile_baseline(baseline, new.release.version), options.configuration
    verdict = restore(
        old,
        document,
        new,
        args.allow_non_restored,
        configuration=configuration,
        matches=dict(args.match),
    )
    suggestion = suggest_matches(old, document, new, verdict, configuration)
    if args.rehearsal is not None:
        rehearsal = parse_rehearsal(read_file(Path(args.rehearsal)))
        verdict = with_rehearsal(verdict, rehearsal)
        if suggestion is not None:
            verdict_with_matches = with_rehearsal(suggestion.then, rehearsal)
            suggestion = replace(suggestion, then=verdict_with_matches)
    print_found(
        args,
        lambda: verdict.to_dict() | _members(suggestion),
        lambda: restore_text(verdict, suggestion),
    )
    return verdict.exit_code(accept_unchecked=args.accept_unchecked)


@command(
    "bridge",
    OLD,
    NEW,
    RELEASE,
    argument("--uids", action="store_true", help="also give every operator with state a uid"),
    argument("--out", metavar="FILE", help="write the new document with its pins there"),
    MATCHES,
    FORMAT,
)
def _bridge(args: argparse.Namespace) -> int:
    options = new_target_options(args, args.old)
    document = document_at(args.new, options)
    baseline = baseline_at(args.old, old_target_options(args, args.old, args.new, document.flink))
    new = compile_program(document, args.flink)
    old, matches = compile_baseline(baseline, new.release.version), dict(args.match)
    verdict = restore(old, document, new, configuration=options.configuration, matches=matches)
    bridge = (give_uids if args.uids else pin_ids)(verdict, document)
    bridged_verdict = verify(baseline, verdict, bridge, options.configuration)
    suggestion = suggest_matches(old, document, new, verdict, options.configuration)
    if args.out:
        write_document(bridge.document, args.out)
    pins = [{**asdict(pin), "java": pin.java, "python": pin.python} for pin in bridge.pins]
    print_found(
        args,
        lambda: (
            {"pins": pins, "left": list(bridge.left), "then": bridged_verdict.to_dict()}
            | _members(suggestion)
        ),
        lambda: bridge_text(bridge, bridged_verdict, suggestion),
    )
    return 0 if bridged_verdict.holds and not bridged_verdict.unclear else 1


def _members(suggestion: SuggestedMatches | None) -> dict[str, object]:
    return {} if suggestion is None else {"suggested": suggestion.to_dict()}
