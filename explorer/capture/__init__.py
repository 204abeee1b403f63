"""A program becomes a StreamGraph document; the jobs that it executes are not submitted.

The package that runs foreign programs: up to their ``execute`` calls, on the jars of a
Flink release that is at hand. It is reached from the shell and from Python, never from the page.

Package and function have one name: ``explorer.capture(...)`` is the function ``capture`` here, also
where Python has put this module in its place, as it does when a module of the package is imported.
The function is loaded when it is used: jars are downloaded and listed without Py4J.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from explorer.capture.failures import CaptureError

if TYPE_CHECKING:
    from explorer.capture.programs import capture

__all__ = ["CaptureError", "capture"]


if not TYPE_CHECKING:  # as in the package explorer

    def __getattr__(name: str) -> Any:
        """Load the function ``capture`` on its first use."""
        if name != "capture":
            msg = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(msg)
        from explorer.capture import programs

        return programs.capture


class _CallablePackage(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.capture(*args, **options)


sys.modules[__name__].__class__ = _CallablePackage
