"""The session's data; the only module that writes the session state and the address.

Parts read through it; callbacks write through it, one immutable record at a time.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any, Final, Literal, NamedTuple, get_args
from weakref import WeakValueDictionary

import msgspec
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.session import link, visits
from components.session.compiled import RECENT, CompileOutcome, compile_document
from components.session.keys import Key
from components.session.memo import PLAIN, Answer, SessionMemo, same
from components.session.outdated_widgets import REVISION, forget_outdated, was_drawn
from components.session.work import Work, restored
from explorer.checks import Findings, check_document
from explorer.documents import Document, StreamGraphDocument
from explorer.drawing.view.elements import GraphView
from explorer.errors import ExplorerError
from explorer.explain.edges import EdgeExplanation, explain_edge
from explorer.explain.flink_check import FlinkCheck, check_against_flink
from explorer.explain.graph_fixes import GraphFix
from explorer.explain.graph_fixes import graph_fixes as fixes_of_edge
from explorer.flink.compiler import Compilation
from explorer.restore.verdict import RestoreVerdict

Reading = Literal["read", "embed"]
"""With both graphs and what is selected, or with the graphs alone, for a frame."""
READINGS: Final[tuple[Reading, ...]] = get_args(Reading)
VIEW: Final = "view"
"""In an address: one of ``READINGS``; without it the page can be edited."""
THEME: Final = "theme"
"""In an address: one of ``THEMES``; without it the page follows the reader's system."""
THEMES: Final = ("light", "dark")
NOT_HELD: Final = (
    "The document of this link is too large for a link, and this browser tab does not hold it: "
    "upload it again."
)
SAMPLE: Final = "sample"
"""In an address: the file name, without its ending, of the sample to open first."""
MOST_ADDRESSES: Final = 8
"""Addresses of its own that a session knows again."""
MOST_EARLIER: Final = 4
"""Earlier documents that are compiled to draw one in place of one that does not compile."""


def work() -> Work | None:
    """Return the current work; None before anything was opened."""
    session_state = st.session_state.get(Key.WORK)
    return session_state if isinstance(session_state, Work) else None


def put(current_work: Work) -> None:
    """Replace what this session works on."""
    st.session_state[Key.WORK] = current_work


def widget(name: str) -> str:
    """Return the key of a widget that shows a part of the document; see ``Work.revision``."""
    current_work = work()
    return current_work.widget(name) if current_work else name


def is_outdated(widget: str) -> bool:
    """Whether a browser names a widget that is gone, or of a document undone or replaced."""
    current_work = work()
    if current_work is None or not was_drawn(widget):
        return True
    return current_work.widget(widget.rpartition(REVISION)[0]) != widget


def _memo() -> SessionMemo:
    memo: SessionMemo = st.session_state.setdefault(Key.LATEST, SessionMemo())
    return memo


def end_turn(current_work: Work) -> None:
    """Let go of what the page needed for an earlier document; it has shown this one as a whole."""
    RECENT.add_answers(*_memo().end_turn(current_work.document))
    forget_outdated(current_work.revision)


def compiled(document: Document) -> CompileOutcome:
    """Compile a document, or return what was compiled from this very object before.

    What the document has in common with the one that was asked for last is not made again.
    """
    memo = _memo()
    latest_outcome: CompileOutcome | None = st.session_state.get(Key.COMPILED)
    outcome = memo.find(
        ("compiled", id(document)),
        (document,),
        lambda _: compile_document(document, latest_outcome),
    )
    if outcome is not latest_outcome:
        if latest_outcome is not None:
            RECENT.retain(latest_outcome, visits.owner())
        st.session_state[Key.COMPILED] = outcome
    return outcome


def checked(compilation: Compilation, document: Document) -> FlinkCheck | None:
    """Compare a captured program with Flink's own JobGraph; None where there is none."""
    return shared("check", (compilation, document), check_against_flink)


def pause() -> None:
    """Go on only while a browser waits.

    Streamlit ends a run with a closed session, or that another one has overtaken, where it looks
    at the session's state; long work of ours that looks at nothing would go on.
    """
    st.session_state.get(Key.WORK)


def explained(compilation: Compilation, edge: int, baseline: Compilation | None) -> EdgeExplanation:
    """Explain an edge; the latest answer is cached, since trying the fixes compiles several times.

    ``baseline``: from whose IDs those that a fix changes are counted.
    """
    return shared(
        "explanation",
        (compilation, edge, baseline),
        lambda *_: explain_edge(compilation, edge, since=baseline, pause=pause),
    )


def graph_fixes(
    document: StreamGraphDocument, compilation: Compilation, edge: int, baseline: Compilation | None
) -> tuple[GraphFix, ...]:
    """Return what fixes an edge of a StreamGraph document; cached as ``explained`` is."""
    return shared(
        "graph fixes",
        (document, compilation, edge, baseline),
        lambda *_: fixes_of_edge(document, compilation, edge, since=baseline, pause=pause),
    )


def findings(document: Document, verdict: RestoreVerdict | None) -> Findings:
    """Return the findings of ``check`` in a document, with the page's restore verdict; cached."""
    return shared(
        "findings",
        (document, verdict),
        lambda *_: check_document(document, before=compiled(document).compilation, verdict=verdict),
    )


def last_view(current_work: Work) -> GraphView | None:
    """Return the latest view that compiled, for a document that does not compile."""
    for earlier in islice(reversed(current_work.history.past), MOST_EARLIER):
        if earlier.serial != current_work.serial:
            return None
        view = compiled(earlier.document).view
        if view is not None:
            return view
    return None


def latest(name: str, inputs: tuple[object, ...], make: Callable[..., Answer]) -> Answer:
    """Make something, or return what was made from these very objects the last time."""
    return _memo().find(name, inputs, make)


def shared(name: str, inputs: tuple[object, ...], make: Callable[..., Answer]) -> Answer:
    """Like ``latest``, but an answer that another session holds for these objects is not made anew.

    For answers that are never changed and follow from ``inputs`` alone.
    """
    key = (name, *(input_ if isinstance(input_, PLAIN) else (id(input_),) for input_ in inputs))

    def find(*_: object) -> _Shared:
        entry = _shared.get(key)
        if entry is None or not same(entry.inputs, inputs):
            entry = _shared[key] = _Shared(inputs=inputs, answer=make(*inputs))
        return entry

    answer: Answer = latest(name, inputs, find).answer
    return answer


class _Shared(msgspec.Struct, frozen=True, kw_only=True, weakref=True):
    """An answer, with the objects that it was made from: they exist as long as it does."""

    inputs: tuple[object, ...]
    answer: Any


_shared: Final[WeakValueDictionary[tuple[object, ...], _Shared]] = WeakValueDictionary()


PAGE: Final = "top"
"""The place of messages about the page as a whole: they are dropped with the next step."""


class Message(NamedTuple):
    """What is wrong at a place."""

    sentence: str
    lasts: bool
    """Whether it stays until the next attempt there; else until the next step anywhere."""


def errors() -> dict[str, Message]:
    """Return the messages by place."""
    result: dict[str, Message] = st.session_state.setdefault(Key.ERRORS, {})
    return result


def message_at(place: str) -> str:
    """Return the message at a place, or why the document does not compile since an edit there."""
    current_work = work()
    refusal = (
        compiled(current_work.document).error
        if current_work and current_work.place == place
        else ""
    )
    message = errors().get(place)
    return message.sentence if message else refusal


def complain(place: str, sentence: str, *, lasts: bool = True) -> None:
    """Show a sentence at a place until the next attempt there, or until the next step."""
    message = Message(sentence=sentence, lasts=lasts)
    st.session_state[Key.ERRORS] = {**errors(), place: message}


def clear_messages(*places: str) -> None:
    """Drop the messages at these places."""
    st.session_state[Key.ERRORS] = {
        place: message for place, message in errors().items() if place not in places
    }


def clear_refusals() -> None:
    """Drop the messages about the step before: its control shows the value in force again."""
    st.session_state[Key.ERRORS] = {
        place: message for place, message in errors().items() if message.lasts
    }


def clear_all_messages() -> None:
    """Drop all messages: another document is open."""
    st.session_state[Key.ERRORS] = {}


def restore_session() -> None:
    """Adopt the state of the address unless this session wrote it.

    A browser's message before it has received the last answer has the previous address; with
    that address it asks for what was only where a user went back or forward in its history.
    """
    text = st.query_params.get(link.PARAMETER)
    if text is None and link.OTHER in st.query_params:
        text = st.query_params.pop(link.OTHER)
    written = _written_addresses()
    if text is None or text == written[-1] or (text in written and not travelled()):
        return
    adopt = text not in written
    st.session_state[Key.LINKS] = (*written, text)[-MOST_ADDRESSES:]
    current_work = work()
    if current_work is None and (reloaded_work := _works().get(text)) is not None:
        put(reloaded_work)
        return
    try:
        result = link.from_link(text)
    except ExplorerError as error:
        complain("link", str(error))
        return
    put(restored(result, current_work, adopt=adopt))


def _works() -> WeakValueDictionary[str, Work]:
    """Return this visit's records by the text of their link, with the steps that can be undone.

    A reload is a new session; Streamlit holds the one before for a while, and so its record.
    """
    works: WeakValueDictionary[str, Work] = visits.visit().stored.setdefault(
        Key.WORKS, WeakValueDictionary()
    )
    return works


def awaits_held() -> bool:
    """Whether the browser's tab is asked for a state that no address holds.

    So it is after a reload, and after a restart of the service, until ``restore_held``.
    """
    if Key.TAB_STATE not in st.session_state:
        address = st.query_params
        st.session_state[Key.TAB_STATE] = link.HELD in address and link.PARAMETER not in address
    return bool(st.session_state[Key.TAB_STATE])


def held() -> str | None:
    """Return the state that the browser's tab holds; None where the address holds it."""
    current_work = work()
    if current_work is None or link_text(current_work) is not None:
        return None
    return latest("held", (current_work, _documents(current_work)), link.to_held)


def link_text(current_work: Work) -> str | None:
    """Return the state as text for the address; None where it does not fit."""
    return latest("link", (current_work, _documents(current_work)), link.to_link)


def _documents(current_work: Work) -> str:
    documents = (current_work.document, current_work.opened, current_work.origin)
    return shared("documents", documents, link.documents_json)


def restore_held(text: str) -> None:
    """Return the text that the browser's tab has from an earlier session; "": none."""
    if not awaits_held():
        return
    st.session_state[Key.TAB_STATE] = False
    if not text:
        complain("link", NOT_HELD)
        return
    try:
        reloaded_work = _works().get(text)
        new_work = restored(reloaded_work or link.from_link(text), work())
        history = reloaded_work.history if reloaded_work else new_work.history
        put(msgspec.structs.replace(new_work, history=history))
    except ExplorerError as error:
        complain("link", str(error))


def named_sample() -> str:
    """Read the name of a sample from the address, as ``?sample=01-word-count``; "": it has none."""
    return str(st.query_params.pop(SAMPLE, ""))


def reading() -> Reading | None:
    """Return how the address wants the page to be read; None for the editable page."""
    wanted = str(st.query_params.get(VIEW, "")).casefold()
    return next((reading for reading in READINGS if reading == wanted), None)


def set_widget(widget: str, value: str | int) -> None:
    """Give a widget that is not drawn yet its value, and the address that it is bound to."""
    st.session_state[widget] = value
    st.query_params[widget] = str(value)


def publish() -> bool:
    """Write the state into the address; False where it is too large for that."""
    if awaits_held():
        return True
    current_work = work()
    text = link_text(current_work) if current_work else None
    state_text = text or held()
    if current_work is not None and state_text is not None:
        _works()[state_text] = current_work
    if text is None:
        st.query_params[link.HELD] = "1"
        st.query_params.pop(link.PARAMETER, None)
    else:
        st.query_params.pop(link.HELD, None)
    if text is not None and st.query_params.get(link.PARAMETER) != text:
        st.query_params[link.PARAMETER] = text
    if text != _written_addresses()[-1]:
        st.session_state[Key.LINKS] = (*_written_addresses(), text)[-MOST_ADDRESSES:]
    return text is not None


def _written_addresses() -> tuple[str | None, ...]:
    """Return the latest addresses of this session, the newest last; None stands for none."""
    session_state: tuple[str | None, ...] = st.session_state.get(Key.LINKS, (None,))
    return session_state


def travelled() -> bool:
    """Whether the browser went back or forward in its history."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
