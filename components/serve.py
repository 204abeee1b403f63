"""How is the page served? ``python -m components.serve APP OPTIONS``, as ``ui`` starts it.

Streamlit as its own command line runs it, with three changes: asked by a page of another origin, it
would look up this machine's address at a service outside before it refuses; it would store any
upload; and the first visitor would wait until the page's modules are imported.
"""

import importlib
import sys
import threading

from components.uploads import bound_uploads


def stay_at_home() -> None:
    """Let Streamlit know of no addresses but those that it was given."""
    from streamlit import net_util

    for look_up in ("get_external_ip", "get_internal_ip"):
        setattr(net_util, look_up, lambda: None)


def import_page() -> None:
    """Import what the page's first run needs."""
    for module in ("components.page", "streamlit.emojis"):
        importlib.import_module(module)
    # Arrow imports pandas for the first array, here no visitor waits for it.
    importlib.import_module("pyarrow").array([])


def main() -> None:
    """Become Streamlit's server."""
    from streamlit.web.cli import main as streamlit

    stay_at_home()
    bound_uploads()
    threading.Thread(target=import_page, name="imports", daemon=True).start()
    sys.argv = ["streamlit", "run", *sys.argv[1:]]
    streamlit()


if __name__ == "__main__":
    main()
