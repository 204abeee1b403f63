"""Words of the failures that a sandbox causes, in the text of a Java exception with its class."""

from typing import Final

NETWORK_WORDS: Final = (
    "UnknownHostException",
    "NoRouteToHostException",
    "SocketTimeoutException",
    "Network is unreachable",
    "Network unreachable",
)
"""Of code that looks for another machine. A refused connection is not among them: programs also
connect to this machine, where a sandbox lets them."""
FILE_WORDS: Final = ("Read-only file system",)
"""Of code that writes outside of its folder."""
