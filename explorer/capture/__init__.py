"""A program becomes a StreamGraph document, without running it.

The one room that runs other people's programs: up to their ``execute`` calls, on the jars of a
Flink release that is at hand. It is reached from the shell and from Python, never from the page.
"""

from explorer.capture.failures import CaptureError
from explorer.capture.programs import capture

__all__ = ["CaptureError", "capture"]
