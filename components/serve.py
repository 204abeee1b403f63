"""How is the page served? ``python -m components.serve APP OPTIONS``, as ``ui`` starts it.

Streamlit as its own command line runs it, with four changes: asked by a page of another origin, it
would look up this machine's address at a service outside before it refuses; it would store any
upload; the first visitor would wait until the page's modules are imported; and every visitor would
see nothing until its scripts run.
"""

import importlib
import sys
import threading

from components.first_paint import FirstPaint, prepare
from components.uploads import UploadGate, bound_uploads


def stay_at_home() -> None:
    """Let Streamlit know of no addresses but those that it was given."""
    from streamlit import net_util

    for look_up in ("get_external_ip", "get_internal_ip"):
        setattr(net_util, look_up, lambda: None)


def add_middleware() -> None:
    """Let the server that Streamlit starts next refuse uploads early and cover documents.

    The gate comes before Streamlit's own classes, and the cover after them: what is compressed has
    it by then.
    """
    from starlette.middleware import Middleware
    from streamlit.web.server.starlette import starlette_app

    own = starlette_app.create_streamlit_middleware
    setattr(  # noqa: B010 - it is a function of theirs
        starlette_app,
        "create_streamlit_middleware",
        lambda: [Middleware(UploadGate), *own(), Middleware(FirstPaint)],
    )


def import_page() -> None:
    """Import what the page's first run needs."""
    prepare()
    for module in ("components.page", "streamlit.emojis"):
        importlib.import_module(module)
    # Arrow imports pandas for the first array, here no visitor waits for it.
    importlib.import_module("pyarrow").array([])


def main() -> None:
    """Become Streamlit's server."""
    from streamlit.web.cli import main as streamlit

    stay_at_home()
    bound_uploads()
    add_middleware()
    threading.Thread(target=import_page, name="imports", daemon=True).start()
    sys.argv = ["streamlit", "run", *sys.argv[1:]]
    streamlit()


if __name__ == "__main__":
    main()
