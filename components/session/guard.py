"""Reports bugs of ours: a sentence on the page and a traceback in the server's log.

Streamlit would show its own box in place of what was being drawn. Whatever Streamlit calls goes
through here: callbacks, the page as a whole, and the parts that it draws again on their own.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec

from components.server import budget
from components.session import retained, session, visits
from components.session.compiled import page_edges
from explorer.errors import own_bug

P = ParamSpec("P")
_LOG: Final = logging.getLogger(__name__)


def reported(error: Exception) -> str:
    """Log the traceback of a bug of ours; return the sentence for the page."""
    _LOG.error("the page failed", exc_info=error)
    return own_bug(error)


def run_guarded(
    work: Callable[[], None],
    say: Callable[[str], None],
    *,
    address: str | None = None,
    share: float = 1.0,
    minimum_seconds: float = 0.0,
) -> None:
    """Do something, and pass what is raised to ``say``, apart from Streamlit's own signals.

    Whatever it compiles is under the page's edge limit, all of it under the budget of a request and
    of the visitor's ``address``; "": of no address. ``share``: of the request's CPU time;
    ``minimum_seconds``: what it has in any case.
    """
    try:
        owner = visits.address() if address is None else address
        with (
            retained.memory_bounded(),
            budget.spending(
                owner, share=share, minimum_seconds=minimum_seconds, pause=session.pause
            ),
            page_edges(),
        ):
            work()
    except budget.OverBudgetError as error:
        say(str(error))
    except Exception as error:  # noqa: BLE001 - only Streamlit is above
        say(reported(error))


def guarded(callback: Callable[P, None]) -> Callable[P, None]:
    """Let a callback fail with a sentence, and the page be drawn all the same."""

    @wraps(callback)
    def called(*args: P.args, **kwargs: P.kwargs) -> None:
        run_guarded(
            lambda: callback(*args, **kwargs),
            lambda sentence: session.complain(session.PAGE, sentence),
            share=budget.CALLBACK_SHARE,
        )

    return called
