"""Reports bugs of ours: a sentence on the page and a traceback in the server's log.

Streamlit would show its own box in place of what was being drawn. Whatever Streamlit calls goes
through here: callbacks, the page as a whole, and the parts that it draws again on their own.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Final, ParamSpec

from components import budget, session, visits
from components.compiled import page_edges
from explorer.errors import own_bug

P = ParamSpec("P")
_LOG: Final = logging.getLogger(__name__)


def reported(error: Exception) -> str:
    """Log the traceback of a bug of ours; return the sentence for the page."""
    _LOG.error("the page failed", exc_info=error)
    return own_bug(error)


@contextmanager
def caught(say: Callable[[str], None]) -> Iterator[None]:
    """Pass what is raised within to ``say``; Streamlit's own signals are no exceptions of ours.

    Whatever compiles within does so under the page's edge limit, all of it under the budget of a
    request.
    """
    try:
        with budget.spending(visits.address()), page_edges():
            yield
    except budget.OverBudgetError as error:
        say(str(error))
    except Exception as error:  # noqa: BLE001 - only Streamlit is above
        say(reported(error))


def guarded(callback: Callable[P, None]) -> Callable[P, None]:
    """Let a callback fail with a sentence, and the page be drawn all the same."""

    @wraps(callback)
    def called(*args: P.args, **kwargs: P.kwargs) -> None:
        with caught(lambda sentence: session.complain("top", sentence)):
            callback(*args, **kwargs)

    return called
