"""Starts Spark in the background, a moment after the first visit.

So the first trial waits for nothing, and the first sight of the page for no Java. Once a server.
"""

import threading
from typing import Final

import streamlit as st
from streamlit import runtime
from streamlit.runtime import Runtime

from components.server.hosting import hosting
from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.spark_settings import page_target

LATER: Final = 1.5
"""Seconds after which a browser has drawn what it was sent."""


def start() -> None:
    """Have Spark started, where this is a page that runs trials and a server that shows it."""
    # AppTest puts an imitation in the runtime's place, which passes for an instance of it.
    if hosting().trials and runtime.exists() and type(runtime.get_instance()) is Runtime:
        _once()


@st.cache_resource(show_spinner=False)
def _once() -> None:
    timer = threading.Timer(LATER, QUEUE.prepare, (page_target(),))
    timer.daemon = True
    timer.start()
