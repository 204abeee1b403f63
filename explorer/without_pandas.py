"""Prevents Arrow from loading pandas in a process that does not use it."""

import sys
from collections.abc import Sequence
from types import ModuleType


class _WithoutPandas:
    """Refuses pandas as if it were not installed, and finds no other module.

    A ``MetaPathFinder`` by its method alone: ``importlib.abc`` loads temporary files and archives.
    """

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> None:
        """Raise ``ModuleNotFoundError`` for pandas."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


def refuse_pandas() -> None:
    """Let imports of pandas fail from now on in this process: they cost a third of a second."""
    sys.meta_path.insert(0, _WithoutPandas())
