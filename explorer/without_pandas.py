"""Prevents Arrow from loading pandas in a process that does not use it."""

import importlib
import sys
import threading
from collections.abc import Sequence
from types import ModuleType


class _WithoutPandas:
    """Refuses pandas as if it were not installed, and finds no other module.

    A ``MetaPathFinder`` by its method alone: ``importlib.abc`` loads temporary files and archives.
    """

    def __init__(self, *, thread: int | None = None) -> None:
        """``thread``: the one that it refuses pandas; None: all."""
        self._thread = thread

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> None:
        """Raise ``ModuleNotFoundError`` for pandas."""
        if fullname == "pandas" and self._thread in {None, threading.get_ident()}:
            raise ModuleNotFoundError(name=fullname)


def let_arrow_do_without_pandas() -> None:
    """Let Arrow make its first array in this thread, and so not load pandas for any later one.

    It looks for pandas once, to recognize its objects. Other threads may load pandas meanwhile, and
    what converts from or to pandas loads it later.
    """
    refusal = _WithoutPandas(thread=threading.get_ident())
    sys.meta_path.insert(0, refusal)
    try:
        importlib.import_module("pyarrow").array([])
    finally:
        sys.meta_path.remove(refusal)


def refuse_pandas() -> None:
    """Let imports of pandas fail from now on in this process: they cost a third of a second."""
    sys.meta_path.insert(0, _WithoutPandas())
