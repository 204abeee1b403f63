"""Limits of a local page, a team's page and a public page.

The command line passes ``--public`` by an environment variable, since Streamlit starts the page. A
page that others can reach is hosted, whether or not it is public.
"""

import math
import os
from typing import Final

import msgspec
from streamlit import config

from explorer.locations import LOOPBACK, PUBLIC_VARIABLE

_OWN: Final = frozenset({*LOOPBACK, "[::1]"})


class Hosting(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one visitor of the server."""

    trials: int
    """Limit of a visitor's trials that wait or run at once; 0: previews alone."""
    address_trials: int
    """The same for all visitors from one address."""
    all_trials: int
    """The same for all visitors together."""
    seconds: float
    """Of one trial, from when its turn comes."""
    rows: int | None
    """Of each source that a trial reads; None: all."""
    data_bytes: int
    """Of all files that are added for trials; 0: none can be added."""
    written_bytes: int
    """Of what a sink of one trial writes, to be downloaded, and of a preview's rows."""
    upload_bytes: int
    """Of the files that one page has uploaded and not closed."""
    all_upload_bytes: int
    """The same of all pages together."""
    address_pages: int
    """That browsers of one address have open."""
    all_pages: int
    """That all browsers have open; each has three descriptors, of which a process has 1,024."""
    server_bytes: int
    """Memory of the server; beyond, sessions give up what they hold to answer sooner."""
    edges: int
    """Of a StreamGraph. A link of a few hundred characters can stand for millions."""
    work_seconds: float
    """CPU time of one request: a run of the page's script with the callbacks before it."""
    work_bytes: int
    """By which the server's memory may grow while a request runs."""
    minute_seconds: float
    """CPU time of all requests of one address within a minute."""
    preview_seconds: float
    """CPU time of a preview, a part of a request."""
    traced_seconds: float
    """CPU time of a traced run, a part of a request."""
    transfers: int
    """Records through channels that a traced run retains."""


MB: Final = 1024 * 1024
OWN: Final = Hosting(
    trials=3,
    address_trials=12,
    all_trials=60,
    seconds=900.0,
    rows=None,
    data_bytes=50 * MB,
    written_bytes=200 * MB,
    upload_bytes=100 * MB,
    all_upload_bytes=400 * MB,
    address_pages=250,
    all_pages=250,
    server_bytes=8192 * MB,
    edges=20_000,
    work_seconds=120.0,
    work_bytes=4096 * MB,
    minute_seconds=math.inf,
    preview_seconds=2.0,
    traced_seconds=5.0,
    transfers=1_000_000,
)
"""A page that listens to this machine alone."""
HOSTED: Final = msgspec.structs.replace(
    OWN,
    seconds=300.0,
    rows=10_000_000,
    written_bytes=50 * MB,
    server_bytes=4096 * MB,
    work_seconds=20.0,
    work_bytes=1024 * MB,
)
"""A page that others reach."""
PUBLIC: Final = Hosting(
    trials=0,
    address_trials=0,
    all_trials=0,
    seconds=60.0,
    rows=100_000,
    data_bytes=0,
    written_bytes=5 * MB,
    upload_bytes=45 * MB,
    all_upload_bytes=200 * MB,
    address_pages=60,
    all_pages=250,
    server_bytes=1280 * MB,
    edges=2_000,
    work_seconds=1.6,
    work_bytes=200 * MB,
    minute_seconds=30.0,
    preview_seconds=0.7,
    traced_seconds=0.7,
    transfers=150_000,
)
"""A public page: previews of the documents' and the samples' own rows."""


def hosting() -> Hosting:
    """Return the limits of this page."""
    if os.environ.get(PUBLIC_VARIABLE) == "1":
        return PUBLIC
    return OWN if config.get_option("server.address") in _OWN else HOSTED
