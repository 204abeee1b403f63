"""``flink``: bring a release's jars from PyPI into the user's cache, and list what is there."""

import argparse
import sys
from typing import Final

from explorer.cli.command import FORMAT, argument, command, print_found
from explorer.errors import UsageError
from explorer.flink.releases import VERSIONS
from explorer.locations import PROGRAM
from explorer.wording import listed, quoted

_MEGABYTE: Final = 1 << 20


@command(
    "flink",
    argument("action", choices=("install", "list"), help="what to do"),
    argument(
        "releases",
        nargs="*",
        metavar="RELEASE",
        help=f"of install: releases from {VERSIONS[0]} to {VERSIONS[-1]}, each for "
        "its newest patch level, or versions such as 1.20.5",
    ),
    FORMAT,
)
def _flink(args: argparse.Namespace) -> int:
    if args.action == "list":
        if args.releases:
            msg = f"flink list takes no release, and was given {listed(map(quoted, args.releases))}"
            raise UsageError(msg)
        _list_installed(args)
        return 0
    if not args.releases:
        msg = f"name the releases to install, as in: flink install {VERSIONS[-1]}"
        raise UsageError(msg)
    for wanted_release in args.releases:
        install_release(wanted_release)
    return 0


def install_release(expected: str) -> None:
    """Install one release, with a line on standard error with its progress."""
    from explorer.capture.jar_cache import cached_versions, install

    versions_before = cached_versions()
    lib = install(expected, _Progress(expected).report)
    version = lib.parent.name
    state = "is there already" if version in versions_before else "is installed"
    sys.stdout.write(f"Flink {version} {state}: {lib}\n")


def install_if_wanted(release: str | None) -> bool:
    """Ask on a terminal whether to install a release, None: the newest; False: not installed."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    from explorer.capture.jar_cache import cache_folder

    expected = release or VERSIONS[-1]
    sys.stderr.write(
        f"The jars of Flink {expected} are not here. Bring them from PyPI (200 to 330 MB) into "
        f"{cache_folder()}? [y/N] "
    )
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        return False
    install_release(expected)
    return True


def _list_installed(args: argparse.Namespace) -> None:
    from explorer.capture.jar_cache import cache_folder, cached_versions

    folders = {version: str(cache_folder() / version / "lib") for version in cached_versions()}
    lines = [f"{version:<10}{folder}" for version, folder in folders.items()] or [
        f"no release is in {cache_folder()}; bring one with: {PROGRAM} flink install {VERSIONS[-1]}"
    ]
    print_found(
        args,
        lambda: [{"version": version, "lib": folder} for version, folder in folders.items()],
        lambda: "\n".join(lines),
    )


class _Progress:
    """A line that is written again and again on a terminal, and a line a quarter elsewhere."""

    def __init__(self, expected: str) -> None:
        self._wanted, self._last = expected, -1

    def report(self, result: int, whole: int) -> None:
        step = 1 if sys.stderr.isatty() else 25
        percent = result * 100 // whole // step * step if whole else 0
        if percent == self._last:
            return
        self._last = percent
        size = f"{result // _MEGABYTE} of {whole // _MEGABYTE} MiB"
        start, end = ("\r", "\n" * (result >= whole)) if sys.stderr.isatty() else ("", "\n")
        sys.stderr.write(f"{start}Flink {self._wanted}: {percent} %, {size}{end}")
        sys.stderr.flush()
