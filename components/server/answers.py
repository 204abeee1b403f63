"""How an answer reaches the browser: in few parts, each of many messages.

A run of the page sends seventy messages. Streamlit would wake the thread of the connections for
each of them, which costs a tenth of a click, and a browser would draw the page in as many parts as
it happens to receive.
"""

from collections import deque
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from streamlit.runtime.app_session import AppSession

HELD_SECONDS: Final = 0.03
"""How long a message may wait for those that follow: the time in which a browser draws a part."""


class HeldEvents:
    """What the runs of a session have reported and the browser does not know yet, in their order.

    The order holds for all of it: the start of a run drops what is left of the run before, and
    would drop a message of its own that came earlier.
    """

    def __init__(self, session: "AppSession") -> None:
        self._session = session
        self._events: deque[tuple[Any, Any, dict[str, Any]]] = deque()
        self._is_due = False

    def hold(self, runner: Any, event: Any, facts: dict[str, Any], *, is_message: bool) -> None:
        """Add an event, which only a message lets wait; called in the thread of the run."""
        self._events.append((runner, event, facts))
        if not is_message:
            self._session._call_soon_on_event_loop(self._pass_on)  # noqa: SLF001 - no other way
        elif not self._is_due:
            self._is_due = True
            self._session._call_soon_on_event_loop(self._pass_on_later)  # noqa: SLF001

    def _pass_on_later(self) -> None:
        self._session._event_loop.call_later(HELD_SECONDS, self._pass_on)  # noqa: SLF001

    def _pass_on(self) -> None:
        # Before any is taken: one that comes meanwhile is taken, too, or makes this due again.
        self._is_due = False
        handle = self._session._handle_scriptrunner_event_on_event_loop  # noqa: SLF001
        try:
            while self._events:
                runner, event, facts = self._events.popleft()
                handle(runner, event, **facts)
        finally:
            # Where one fails, which the loop reports, those after it are passed on all the same.
            if self._events:
                self._session._call_soon_on_event_loop(self._pass_on)  # noqa: SLF001


def send_in_parts() -> None:
    """Let sessions hold the messages of a run for a moment, at most until it ends."""
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.scriptrunner import ScriptRunnerEvent

    def report(session: "AppSession", runner: Any, event: Any, **facts: Any) -> None:
        held: HeldEvents | None = session.__dict__.get("held_events")
        if held is None:
            held = session.__dict__["held_events"] = HeldEvents(session)
        is_message = event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
        held.hold(runner, event, facts, is_message=is_message)

    setattr(AppSession, "_on_scriptrunner_event", report)  # noqa: B010 - it is a method of theirs
