"""A program becomes a StreamGraph document; the jobs that it executes are not submitted.

The package that runs foreign programs: up to their ``execute`` calls, on the jars of a
Flink release that is at hand. It is reached from the shell and from Python, never from the page.

Package and function have one name: ``explorer.capture(...)`` is the function ``capture`` here, also
where Python has put this module in its place, as it does when a module of the package is imported.
"""

import sys
from types import ModuleType

from explorer.capture.failures import CaptureError
from explorer.capture.programs import capture

__all__ = ["CaptureError", "capture"]


class _CallablePackage(ModuleType):
    __call__ = staticmethod(capture)


sys.modules[__name__].__class__ = _CallablePackage
