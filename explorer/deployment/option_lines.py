"""Options in a text, by lines or separated by spaces, as in ``flink-conf.yaml``."""

import re
from typing import Final

from explorer.deployment.memory_options import UnreadableOptionError
from explorer.wording import quoted

_PAIR: Final = re.compile(r"\s*(?:-D)?([\w.-]+)\s*(?:=|:\s)\s*(\S.*?)\s*")
_NEXT: Final = re.compile(r"[\n;]|\s+(?=(?:-D)?[a-z][\w-]*\.[\w.-]+\s*(?:=|:\s))")


def read_options(text: str) -> dict[str, str]:
    """Options by key; they are parted by spaces, semicolons or lines, ``-D`` may stand before each.

    Raises ``ExplorerError`` where a part is no option.

    >>> read_options("a.b=1 -Dc.d=2 kb; e.f: 3")
    {'a.b': '1', 'c.d': '2 kb', 'e.f': '3'}
    """
    options = {}
    for part in _NEXT.split(text):
        if not part.strip() or part.strip().startswith("#"):
            continue
        match = _PAIR.fullmatch(part)
        if match is None:
            msg = (
                f"{quoted(part.strip())} is no option: write key=value, as "
                "taskmanager.numberOfTaskSlots=4"
            )
            raise UnreadableOptionError(msg)
        options[match[1]] = match[2]
    return options
