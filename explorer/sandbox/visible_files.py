"""Which files a program in the sandbox can read: the system's, and those that the command names.

All other folders of the root are empty for it, the user's home among them, and so are the hidden
entries of the folders that it works in, as ``.git`` and ``.env``: these hold tokens and keys.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from stat import S_IROTH
from typing import Final, Literal, NamedTuple

from explorer.locations import PARENT

_SYSTEM: Final = frozenset(
    {
        *("bin", "etc", "lib", "lib32", "lib64", "libx32", "opt", "sbin", "sys", "usr"),
        *("dev", "proc", "nix", "gnu"),
    }
)
"""Folders of the root that a system's programs need, and that hold no user's files."""
_SHARED: Final = frozenset(map(Path, ("/tmp", "/var", "/var/tmp", "/run", "/mnt", "/media")))  # noqa: S108
"""Folders that hold what has nothing to do with each other."""
_SETTINGS: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/localtime", "/var/lib/ca-certificates")
"""Files of a system that may be links into folders that are hidden."""
_WORD: Final = re.compile(r"[^\s'\"`=;,:|()\[\]{}<>*]*/[^\s'\"`=;,:|()\[\]{}<>*]*")
"""What may be a path in an option, in a list of paths or in a URI."""
_QUOTED: Final = re.compile(r"'([^'\n]*/[^'\n]*)'|\"([^\"\n]*/[^\"\n]*)\"")
_HOPS: Final = 16
"""Links that are followed one by one."""

Action = Literal["hide", "blank", "show", "folder"]


class ViewStep(NamedTuple):
    """One step of making the view."""

    action: Action
    """``hide`` a folder's content, ``blank`` a file, ``show`` a path as it is, or only have a
    ``folder`` there."""
    path: str


def view_steps(
    named: Iterable[Path], around: Iterable[Path], environment: Mapping[str, str]
) -> list[ViewStep]:
    """Return the steps that make the view, parents before what is in them.

    ``named``: files and folders that are shown whole; ``around``: folders that are shown without
    their hidden entries, unless all of a user's files are below them; ``environment``: variables
    that may name more.
    """
    # Root's home is a folder of the root: it is hidden, and not only there.
    actions: dict[Path, Action] = dict.fromkeys((_home(), Path.cwd()), "folder")
    actions |= dict.fromkeys(_other_roots(), "hide")
    narrow = list(filter(_is_narrow, around))
    for folder in narrow:
        actions |= {path: _cover_action(path) for path in _hidden_entries(folder.resolve())}
    if os.geteuid() == 0:
        actions |= {path: _cover_action(path) for path in _secret_settings()}
    own = (Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable), PARENT / "explorer")
    values = (value for name, value in environment.items() if name != "HOME")
    implied = (*own, *map(Path, _SETTINGS), *filter(_is_narrow, paths_in(values)))
    for path in (*narrow, *implied, *named):
        actions |= dict.fromkeys(_hops(path), "show")
    ordered = sorted(actions.items(), key=lambda item: len(item[0].parts))
    return [ViewStep(action, str(path)) for path, action in ordered if _changes(path, actions)]


def paths_in(texts: Iterable[str]) -> Iterator[Path]:
    """Yield the existing paths that options name: alone, in lists, after ``=``, as ``file:``."""
    for text in texts:
        for word in (text, *_WORD.findall(text)):
            if "/" in word and _exists(path := Path(word).absolute()):
                yield path


def paths_in_program(text: str) -> Iterator[Path]:
    """Yield the existing paths in a program's literals that ``without_secrets`` leaves."""
    return without_secrets(paths_in(single or double for single, double in _QUOTED.findall(text)))


def without_secrets(paths: Iterable[Path]) -> Iterator[Path]:
    """Leave out the paths that a program may not show itself: all of a user's files, and secrets.

    Secrets are, by convention, below folders with hidden names, as are Maven's jars.
    """
    for path in paths:
        is_hidden = any(part.startswith(".") for part in path.resolve().parts)
        if _is_narrow(path) and (not is_hidden or path.suffix == ".jar"):
            yield path


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, or no path at all
        return False


def _home() -> Path:
    return Path(os.path.expanduser("~")).absolute()  # noqa: PTH111 - it raises nothing


def _is_narrow(path: Path) -> bool:
    """Whether a path is not a folder with all files of a user, or of several."""
    whole = path.resolve()
    wide = {_home().resolve(), *_home().resolve().parents, *_SHARED}
    return whole not in wide


def _other_roots() -> list[Path]:
    with os.scandir("/") as entries:
        return [
            Path(entry.path)
            for entry in entries
            if entry.is_dir(follow_symlinks=False) and entry.name not in _SYSTEM
        ]


def _hidden_entries(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.name.startswith(".")]
    except OSError:
        return []


def _secret_settings() -> Iterator[Path]:
    """Yield the settings that only root reads: a program of root's is another's program, too."""
    for place, folders, names in os.walk("/etc"):
        for name in (*folders, *names):
            path = Path(place, name)
            if not path.is_symlink() and _exists(path) and not path.stat().st_mode & S_IROTH:
                yield path


def _cover_action(path: Path) -> Action:
    return "hide" if path.is_dir() and not path.is_symlink() else "blank"


def _hops(path: Path) -> list[Path]:
    """Return the path, what it links to, link by link, and where it really is; if it exists."""
    path = path.absolute()
    if not _exists(path):
        return []
    hops = [path]
    while hops[-1].is_symlink() and len(hops) < _HOPS:
        hops.append(Path(os.path.normpath(hops[-1].parent / hops[-1].readlink())))
    return [*hops, path.resolve()]


def _changes(path: Path, actions: Mapping[Path, Action]) -> bool:
    """Whether a step changes the view that the steps for the folders above it make."""
    above = (
        actions[parent] for parent in path.parents if actions.get(parent, "folder") != "folder"
    )
    if actions[path] in {"hide", "blank"}:
        return True
    return next(above, "show") != "show"
