"""Measures the power of the tests: which of 100 seeded mutants of the code does none notice?

A mutant is the code with one comparison, constant or branch changed. For each, only the tests run
that reach the changed line, those that mirror the module first, up to the first that fails; which
tests reach a line is recorded once, by coverage's contexts, in a run of all quick ones. What runs
while its module is imported has no such tests: those that reach another line of the module run, and
then those of its package. Last come tests with Spark, a server or a browser: those of the engine,
or the journeys of the page's place. A mutant that passes all survives and is listed: a test is
missing, or the change means nothing. The code is mutated in a copy. Run it with
``make mutants``, or ``python -m benchmarks.mutants --tests tests/restore explorer/restore``.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from coverage import CoverageData

from benchmarks.mutants.mutations import Mutation, mutations
from benchmarks.options import option_parser

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = (
    "explorer/flink",
    "explorer/restore",
    "explorer/engine",
    "explorer/savepoints",
    "components",
)
TESTS: Final = ("tests",)
QUICK: Final = "not browser and not spark and not flink and not process"
SLOW: Final = "browser or spark or process"
SLOWER_TESTS: Final = {
    "explorer/engine/": ("engine",),
    "components/deploy/": ("journeys/test_restore.py", "journeys/test_check.py"),
    "components/run/": ("journeys/test_trial.py", "journeys/test_task.py"),
    "components/learn/": ("journeys/test_lessons.py",),
    "components/source/": ("journeys/test_editor.py", "journeys/test_navigation.py"),
    "components/server/": ("components", "journeys/test_restart.py"),
    "components/": tuple(
        f"journeys/test_{name}.py" for name in ("page", "task", "tabs", "navigation", "layout")
    ),
}
"""By the start of a module's path, in order, what judges a mutant that all quick tests passed."""
PATIENCE: Final = 600
"""Seconds for a test of a mutant: one that loops for ever is noticed, too."""
PASSED: Final = 0
FAILED: Final = {1, 2}
"""pytest's exit codes: a test failed, or a module of tests could not be imported."""
UNKNOWN: Final = 4
"""A test is not known, as where its module could not be imported."""
NONE_RAN: Final = 5
"""No test has the marks that were asked for."""
CONTEXTS: Final = "[run]\ndynamic_context = test_function\nsource = explorer, components\n"
NOT_COPIED: Final = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", "build", "dist", ".*_cache"
)


class Mutant(NamedTuple):
    """A mutation of a module, and the tests that may notice it, as pytest names them."""

    module: str
    mutation: Mutation
    tests: tuple[str, ...]

    @property
    def parts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tests in files that mirror the module, and all others.

        Most mutants die by the former in two seconds; to collect the latter alone takes ten.
        """
        file = f"/test_{Path(self.module).stem}.py"
        mirrored = tuple(test for test in self.tests if file in test)
        return mirrored, tuple(test for test in self.tests if file not in test)

    def __str__(self) -> str:
        change = self.mutation
        return f"{self.module}:{change.line}: `{change.before}` -> `{change.after}`"


def main() -> int:
    """Record, mutate, and print the survivors and the share of mutants that were noticed."""
    arguments = _parser().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
        for step in (["init", "--quiet"], ["add", "--all"]):  # tests ask Git for the files
            subprocess.run(["git", *step], cwd=copy, check=True)  # noqa: S607 - the user's Git
        record = arguments.record or Path(folder) / "coverage"
        if not record.exists():
            _record(copy, record, arguments.tests, arguments.marks)
        candidates = list(_candidates(copy, record, arguments.packages))
        chosen = Random(arguments.seed).sample(candidates, min(arguments.number, len(candidates)))  # noqa: S311 - a seeded choice
        survivors = [mutant for mutant in chosen if not _is_noticed(mutant, copy, arguments)]
    reached = sum(bool(mutant.tests) for mutant in chosen)
    noticed = len(chosen) - len(survivors)
    print(f"{noticed} of {len(chosen)} mutants noticed; {reached} of their lines are reached")
    for mutant in survivors:
        print(f"survives, reached by {len(mutant.tests)} tests: {mutant}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = option_parser("benchmarks.mutants", __doc__)
    parser.add_argument("packages", nargs="*", default=PACKAGES, help="folders that are mutated")
    parser.add_argument("--number", type=int, default=100, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which of all that there are")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="folders of tests that may run")
    parser.add_argument("--marks", default=QUICK, help="which of them, as pytest -m has it")
    parser.add_argument("--quick", action="store_true", help="without journeys and Spark")
    parser.add_argument("--record", type=Path, help="the file that says which test reaches what")
    return parser


def _pytest(
    copy: Path,
    arguments: Sequence[str],
    measure: Sequence[str] = (),
    output: int | None = subprocess.DEVNULL,
) -> int:
    """Run pytest in the copy, with the same examples each time; return its exit code.

    ``output``: where standard output goes; None: where that of this process does.
    """
    environment = {**os.environ, "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    # Servers and commands that tests start would run the installed code.
    environment["PYTHONPATH"] = str(copy)
    options = ("-q", "-p", "no:cacheprovider", "-p", "benchmarks.mutants.first_example")
    command = [sys.executable, *measure, "-m", "pytest", *options, *arguments]
    run = subprocess.run(command, cwd=copy, env=environment, stdout=output, check=False)
    return run.returncode


def _record(copy: Path, record: Path, tests: Sequence[str], marks: str) -> None:
    """Run the tests once and write which of them reach which line."""
    settings = copy / "contexts.ini"
    settings.write_text(CONTEXTS)
    measure = ("-m", "coverage", "run", f"--rcfile={settings}", f"--data-file={record}")
    if (code := _pytest(copy, ["-m", marks, *tests], measure, output=None)) != PASSED:
        msg = f"the tests do not pass as they are: pytest ended with {code}"
        raise RuntimeError(msg)


def _candidates(copy: Path, record: Path, packages: Sequence[str]) -> Iterator[Mutant]:
    """Yield every mutant of the packages' modules, by paths and places."""
    data = CoverageData(str(record))
    data.read()
    measured = {
        Path(file).as_posix().partition("/copy/")[2]: file for file in data.measured_files()
    }
    for package in packages:
        for path in sorted((copy / package).rglob("*.py")):
            module = path.relative_to(copy).as_posix()
            contexts = data.contexts_by_lineno(measured[module]) if module in measured else {}
            tests = {line: _tests_of(names, copy) for line, names in contexts.items()}
            every = tuple(sorted({test for line in tests.values() for test in line}))
            on_import = (*every, *package_tests(module, copy))
            for mutation in mutations(path.read_text(encoding="utf-8")):
                reaching = tests.get(mutation.line, ()) or on_import * (mutation.line in tests)
                yield Mutant(module, mutation, reaching)


def package_tests(module: str, root: Path) -> tuple[str, ...]:
    """Return the folders of tests that mirror a module's package, or the next one above it."""
    package = Path(module.removeprefix("explorer/")).parent
    mirrored = (Path("tests") / folder for folder in (package, *package.parents[:-1]))
    folder = next(folder for folder in mirrored if (root / folder).is_dir())
    pages = ("tests/pages",) if folder.name == "components" else ()
    return (folder.as_posix(), *pages)


def _tests_of(contexts: Sequence[str], copy: Path) -> tuple[str, ...]:
    """Return the tests among coverage's contexts."""
    return tuple(sorted({_test_of(context, copy) for context in contexts} - {""}))


def _test_of(context: str, copy: Path) -> str:
    """Return pytest's name of a test whose function coverage names with dots; empty: of none."""
    module, _, function = context.rpartition(".")
    path = Path(f"{module.replace('.', '/')}.py")
    is_test = path.name.startswith("test_") and (copy / path).exists()
    return f"{path.as_posix()}::{function}" if is_test else ""


def _fails(copy: Path, tests: Sequence[str], marks: str) -> bool:
    """Whether one of the tests fails, or a module of theirs cannot be imported any more."""
    options = ("-x", f"--timeout={PATIENCE}", "-m", marks)
    code = _pytest(copy, [*options, *tests])
    if code == UNKNOWN:  # asked for whole files, pytest tells a broken module from an unknown test
        code = _pytest(copy, [*options, *sorted({test.partition("::")[0] for test in tests})])
    if code not in {PASSED, NONE_RAN, *FAILED}:
        msg = f"pytest ended with {code}: it does not know one of {', '.join(tests)}"
        raise RuntimeError(msg)
    return code in FAILED


def slower_tests(module: str) -> tuple[str, ...]:
    """Return the tests with Spark, a server or a browser that judge a module's mutants at last."""
    places = (tests for start, tests in SLOWER_TESTS.items() if module.startswith(start))
    return tuple(f"tests/{place}" for place in next(places, ()))


def _is_noticed(mutant: Mutant, copy: Path, arguments: argparse.Namespace) -> bool:
    """Whether a test that reaches the line fails on the mutant."""
    path = copy / mutant.module
    source = path.read_text(encoding="utf-8")
    path.write_text(mutant.mutation.applied_to(source), encoding="utf-8")
    stages = [(tests, arguments.marks) for tests in mutant.parts]
    if not arguments.quick:
        stages.append((slower_tests(mutant.module), SLOW))
    try:
        noticed = any(_fails(copy, tests, marks) for tests, marks in stages if tests)
    finally:
        path.write_text(source, encoding="utf-8")
    print("noticed" if noticed else "SURVIVES", mutant, flush=True)
    return noticed


if __name__ == "__main__":
    sys.exit(main())
