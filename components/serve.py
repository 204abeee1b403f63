"""How is the page served? ``python -m components.serve APP OPTIONS``, as ``ui`` starts it.

Streamlit as its own command line runs it, with two changes: asked by a page of another origin, it
would look up this machine's address at a service outside before it refuses; and it would store any
upload.
"""

import sys

from components.uploads import bound_uploads


def stay_at_home() -> None:
    """Let Streamlit know of no addresses but those that it was told."""
    from streamlit import net_util

    for look_up in ("get_external_ip", "get_internal_ip"):
        setattr(net_util, look_up, lambda: None)


def main() -> None:
    """Become Streamlit's server."""
    from streamlit.web.cli import main as streamlit

    stay_at_home()
    bound_uploads()
    sys.argv = ["streamlit", "run", *sys.argv[1:]]
    streamlit()


if __name__ == "__main__":
    main()
