"""Does a path stay inside the data directory? Asked before a trial starts, links resolved."""

from pathlib import Path

from explorer.errors import did_you_mean
from explorer.rows.errors import SourceError


def confined(data_dir: Path | None, name: str, transformation: str) -> Path:
    """The file called ``name`` in ``data_dir``; raises ``SourceError`` for any file elsewhere."""
    who = f"transformation {transformation!r}"
    if data_dir is None:
        msg = f"{who} reads the file {name!r}, and no data directory is given"
        raise SourceError(msg)
    try:
        root = data_dir.resolve(strict=True)
        path = (root / name).resolve(strict=False)
    except (OSError, ValueError, RuntimeError):
        msg = f"{who}: {name!r} is no path in an existing data directory"
        raise SourceError(msg) from None
    if not path.is_relative_to(root):
        msg = f"{who}: the file {name!r} lies outside the data directory"
        raise SourceError(msg)
    if not path.is_file():
        here = sorted(str(one.relative_to(root)) for one in root.glob("*") if one.is_file())
        known = ", ".join(here[:20]) or "none"
        hint = did_you_mean(name, here)
        msg = f"{who}: there is no file {name!r} in the data directory; its files are {known}{hint}"
        raise SourceError(msg)
    return path
