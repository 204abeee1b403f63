"""The state backend that reads a savepoint, as far as options and the savepoint's format show it.

Mirrors the names that ``StateBackendLoader`` accepts.
"""

from collections.abc import Mapping
from typing import Final

from explorer.savepoints import Savepoint

_OPTIONS: Final = ("state.backend.type", "state.backend")
"""The newer option wins where both are set."""
_HEAP: Final = frozenset({"filesystem", "jobmanager"})
"""Older names of ``hashmap``."""
_CLASSES: Final = {"rocksdb": "rocksdb", "forst": "forst", "hashmap": "hashmap"}
"""By a part of the short name or of the factory's class."""
_BY_FORMAT: Final[Mapping[str, str]] = {"incremental": "rocksdb", "native": "hashmap"}
"""The backend that writes and reads a format of keyed state; a canonical one is any backend's."""

CHECKPOINT_FORMATS: Final = {
    "hashmap": "native",
    "rocksdb": "incremental",
    "forst": "incremental",
}
"""The formats of the checkpoints and native savepoints of each state backend."""
_CHANGELOG: Final = ("state.changelog.enabled", "state.backend.changelog.enabled")


def has_changelog(options: Mapping[str, object]) -> bool:
    """Whether options turn on ``ChangelogStateBackend``."""
    return any(str(options.get(key, "")).lower() == "true" for key in _CHANGELOG)


def named_backend(options: Mapping[str, object]) -> str | None:
    """Return ``hashmap``, ``rocksdb``, ``forst``, or another name; None: no option names one."""
    values = (options.get(key) for key in _OPTIONS)
    name = next((str(value).lower() for value in values if value is not None), None)
    if name is None or name in _HEAP:
        return name and "hashmap"
    return next((short for part, short in _CLASSES.items() if part in name), name)


def reading_backend(options: Mapping[str, object], savepoint: Savepoint) -> str | None:
    """Return the backend that options name, else the one of the savepoint's format."""
    return named_backend(options) or _BY_FORMAT.get(savepoint.format)
