"""``check`` and ``lock``: findings of documents, and the lock of what must not change."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.checks.checking import check_document
from explorer.checks.findings import LEVELS, Findings
from explorer.checks.fixes import FixTrials
from explorer.checks.lock import ENDING, Lock, lock_text, make_lock, read_lock
from explorer.checks.option_trials import try_options
from explorer.checks.reporting import (
    Checked,
    checked,
    github_report,
    json_report,
    text_report,
    unreadable,
)
from explorer.checks.sarif import sarif_report
from explorer.checks.table import CHECKS, rule_called
from explorer.cli.command import (
    DOCUMENT,
    FORMAT,
    FROM_FLINK,
    MATCHES,
    RELEASE,
    TARGET,
    argument,
    baseline_at,
    command,
    document_at,
    formats,
    print_found,
    print_text,
    repeated,
    warn,
)
from explorer.cli.inputs.target_arguments import (
    new_target_options,
    old_target_options,
    target_options,
)
from explorer.comparison.baseline import (
    Baseline,
    baseline_of,
    baseline_values,
    compile_baseline,
    pin_release,
)
from explorer.comparison.chosen_matches import check_baseline, with_matches
from explorer.documents import MAX_BYTES, Document, parse_document
from explorer.documents.lesson_files import is_lesson_file
from explorer.documents.limits import other_form
from explorer.documents.loading import read_file
from explorer.documents.text.writing import write_file
from explorer.errors import AT_FAULT, DocumentError, ExplorerError, UsageError
from explorer.explain.suggested_fixes import SuggestedFix
from explorer.flink import releases
from explorer.flink.compiler import compile_program
from explorer.model.pipeline import CheckSettings, Severity
from explorer.targets.target_options import TargetOptions, is_program, is_revision, stdin_bytes
from explorer.wording import counted, listed


def _junit(files: Sequence[Checked]) -> str:
    from explorer.checks.junit import junit_report

    return junit_report(files)


FORMATS: Final[Mapping[str, Callable[[Sequence[Checked]], str]]] = {
    "text": text_report,
    "json": json_report,
    "sarif": sarif_report,
    "junit": _junit,
    "github": github_report,
}
"""The writer of each report format."""
_STDIN: Final = "-"


def _severity(text: str) -> tuple[str, Severity]:
    code, _, level = text.partition("=")
    if level not in {*LEVELS, "off"}:
        msg = f"write CODE=LEVEL with one of {listed([*LEVELS, 'off'], 'or')}, not {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return _code(code), level


def _reason(text: str) -> tuple[str, str]:
    code, _, reason = text.partition("=")
    if not reason.strip():
        msg = f"write CODE=REASON, with a few words why, not {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return _code(code), reason.strip()


def _code(text: str) -> str:
    try:
        return rule_called(text.strip()).code
    except ExplorerError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@command(
    "check",
    argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="a document, - for stdin, a .jar, .sql or .py, or a FlinkDeployment",
    ),
    TARGET,
    formats(*FORMATS),
    argument("--locked", action="store_true", help=f"also compare with FILE{ENDING} of lock"),
    repeated(
        "--severity",
        metavar="CODE=LEVEL",
        type=_severity,
        help="set the severity of a rule's findings: error, warning or note; off: skip the rule",
    ),
    repeated(
        "--silence",
        metavar="CODE=REASON",
        type=_reason,
        help="silence a rule's findings, and give the reason",
    ),
    argument(
        "--fail-on",
        choices=LEVELS,
        default="error",
        help="the lowest severity that fails; default: error",
    ),
    argument(
        "--explain",
        metavar="CODE",
        nargs="?",
        const="",
        help="print a rule's page, or the list of all rules, and check nothing",
    ),
    argument(
        "--baseline",
        metavar="SAVEPOINT|OLD",
        help="the baseline; its restore is checked too; default: the document's own",
    ),
    FROM_FLINK,
    MATCHES,
    RELEASE,
)
def _check(args: argparse.Namespace) -> int:
    if args.explain is not None:
        every = (f"{rule.code}  {rule.severity:<8}{rule.title}" for rule in CHECKS)
        print_text(rule_called(args.explain).page if args.explain else "\n".join(every))
        return 0
    if not args.files:
        msg = "name at least one FILE to check, or --explain CODE"
        raise UsageError(msg)
    releases.release(args.flink or releases.LATEST)
    weights = CheckSettings(severities=dict(args.severity), silenced=dict(args.silence))
    old_options = old_target_options(args, args.baseline, args.files[0])
    baseline = baseline_at(args.baseline, old_options) if args.baseline else None
    files = [_check_file(file, args, weights, baseline) for file in args.files]
    print_text(FORMATS[args.format](files))
    return int(any(item.findings.at_least(args.fail_on) for item in files))


def _check_file(
    file: str, args: argparse.Namespace, weights: CheckSettings, baseline: Baseline | None
) -> Checked:
    """One file with its findings; a file that cannot be read is a finding, too."""
    options, flink = new_target_options(args, args.baseline), args.flink
    tried = args.format in {"text", "json"}
    text, locked_text, lock, reading_lock = "", "", None, False
    try:
        text = "" if _is_loaded(file, options) else _read(file)
        if is_lesson_file(Path(file)):
            return checked(file, file + ENDING, text, "", _lesson_findings(Path(file)))
        document = _document(file, text, options)
        if args.locked:
            reading_lock = True
            locked_text = _lock_content(file)
            lock = read_lock(locked_text)
            reading_lock = False
        document = _with_baseline(document, args, baseline)
        findings = check_document(document, lock=lock, flink_version=flink, weights=weights)
        if tried and _is_loaded(file, options):

            def check_with(values: Mapping[str, str]) -> Findings:
                again = _document(file, text, options.with_configuration(values))
                again = _with_baseline(again, args, baseline)
                return check_document(again, lock=lock, flink_version=flink, weights=weights)

            findings = try_options(findings, check_with)
    except ExplorerError as error:
        if error.exit_code != AT_FAULT:
            raise  # the installation lacks something: no finding of this file
        findings = unreadable(file, error, in_lock=reading_lock)
        return checked(file, file + ENDING, text, locked_text, findings)
    suggested = []
    if tried and document.pipeline is not None:
        trials = FixTrials(document.pipeline, lock=lock, flink_version=flink, weights=weights)
        suggested = _suggested(file, findings, trials)
    return checked(file, file + ENDING, text, locked_text, findings, suggested)


def _suggested(file: str, findings: Findings, trials: FixTrials) -> list[tuple[SuggestedFix, ...]]:
    suggested = [tuple(trials.fixes(finding)) for finding in findings.findings]
    if trials.untried:
        number = counted(len(trials.untried), "finding")
        warn((f"{file}: some changes for {number} were not tried, since the graph is large",))
    return suggested


def _with_baseline(
    document: Document, args: argparse.Namespace, baseline: Baseline | None
) -> Document:
    matches = dict(args.match)
    if baseline is None and not matches and not args.from_flink:
        return document
    baseline = baseline or baseline_of(document)
    if baseline is not None and args.from_flink:
        baseline = pin_release(baseline, args.from_flink, replace=True)
    check_baseline(baseline, matches)
    if baseline is not None and matches:
        program = compile_program(document, args.flink)
        old = with_matches(compile_baseline(baseline, program.release.version), program, matches)
        baseline = msgspec.structs.replace(baseline, matches=old.matches)
    return document if baseline is None else document.with_baseline(baseline_values(baseline))


def _lesson_findings(path: Path) -> Findings:
    """Answer each question of the lesson; raises ``ExplorerError`` for a faulty lesson."""
    from explorer.lessons import answered, load_lesson

    loaded = load_lesson(path)
    answered(loaded.lesson, loaded.document)
    return Findings(
        name=loaded.lesson.lesson,
        flink_version=loaded.document.flink or releases.LATEST,
        findings=(),
    )


def _document(file: str, text: str, options: TargetOptions) -> Document:
    from explorer.documents.readers.resource_texts import is_resource_text

    if _is_loaded(file, options):
        return document_at(file, options)
    if is_resource_text(text):
        from explorer.targets.target import of_content, refuse_job

        target = of_content(file, text.encode(), options)
        refuse_job(target)
        warn(target.notes)
        return target.document
    document = parse_document(text, name=Path(file).name)
    if not options.configuration:
        return document
    from explorer.targets.target import with_configuration

    return with_configuration(document, options.configuration)


def _is_loaded(file: str, options: TargetOptions) -> bool:
    """Whether a FILE is captured or comes from git: it has no text to report places in."""
    return is_revision(file) or is_program(file, options.main_class)


def _has_lock_file(file: str) -> bool:
    return file != _STDIN and "://" not in file and not is_revision(file)


def _read(file: str) -> str:
    content = stdin_bytes(MAX_BYTES) if file == _STDIN else read_file(Path(file))
    if form := other_form(content):
        raise DocumentError(path="", problem=f"the document is {form}")
    return content.decode("utf-8-sig", errors="replace")


def _lock_content(file: str) -> str:
    if not _has_lock_file(file):
        problem = f"{'standard input' if file == _STDIN else file} has no lock; name a file"
    elif not Path(file + ENDING).exists():
        problem = f"there is no {file + ENDING}; `lock {file}` writes it"
    else:
        return _read(file + ENDING)
    raise DocumentError(path="", problem=problem)


@command("lock", *DOCUMENT, FORMAT)
def _lock(args: argparse.Namespace) -> None:
    options = target_options(args)
    text = "" if _is_loaded(args.file, options) else _read(args.file)
    document = _document(args.file, text, options)
    lock = make_lock(compile_program(document, args.flink))
    text = lock_text(lock)
    path = Path(args.file + ENDING) if _has_lock_file(args.file) else None
    printed = text if path is None else f"{path}: {_replace_lock(path, lock, text)}"
    print_found(args, partial(_lock_members, lock, path), lambda: printed)


def _replace_lock(path: Path, lock: Lock, text: str) -> str:
    """Write the lock's text into its file; describe what it is, and how much of it is new."""
    previous = path.read_text(encoding="utf-8") if path.exists() else ""
    write_file(path, text)
    moved = len(set(previous.splitlines()) ^ set(text.splitlines()))
    change = f"{counted(moved, 'line')} changed" if moved else "nothing changed"
    facts = f"{counted(len(lock.operators), 'operator')}, {counted(len(lock.chains), 'chain')}"
    return f"{facts}; {change if previous else 'written for the first time'}"


def _lock_members(lock: Lock, path: Path | None) -> dict[str, Any]:
    """The members of the lock for JSON, with the file that has them now; None: they are in none."""
    members = msgspec.to_builtins(lock)
    release = members.pop("flink")
    return {"file": path and str(path), **members, "flink_version": release}
