"""Five places by task, each with its own tabs; the address holds the open place and tab."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, get_args

import streamlit as st

from components.session import session
from components.session.keys import Key
from components.session.levels import LEVELS, parsed_levels
from explorer.wording import listed, quoted

Place = Literal["Explore", "Deploy", "Run", "Learn", "Source"]
PLACES: Final[tuple[Place, ...]] = get_args(Place)
CLOSED: Final = "Graphs"
"""The first tab of *Explore*: no table below the graphs."""
CLOSED_HEIGHT: Final = 31
"""Of the row of tabs below the graphs then, in CSS pixels."""
LESSON: Final = "Lesson"
STEPS: Final = "Steps"
TRIAL: Final = "Local run"
FOLLOW: Final = "Follow"
RESOURCES: Final = "Resources"
PLAN: Final = "Plan"
RESTORE: Final = "Restore"
FIND: Final = "Find ID"
INTERNALS: Final = "Task internals"
EXCHANGE: Final = "Network exchange"
YAML: Final = "YAML"
CHANGES: Final = "Changes"
IMPORT: Final = "Import"
EXPORT: Final = "Share and download"

TABS: Final[Mapping[Place, tuple[str, ...]]] = {
    "Explore": (CLOSED, "IDs", "Decisions", INTERNALS, EXCHANGE, "Execution graph", FIND),
    "Deploy": (PLAN, "Compare", RESTORE, "Check", RESOURCES),
    "Run": (TRIAL, FOLLOW, "Running job"),
    "Learn": (LESSON, STEPS),
    "Source": (YAML, CHANGES, IMPORT, EXPORT),
}
"""By place, its tabs; the first is open at the first visit."""
NAMES: Final = tuple(name for names in TABS.values() for name in names)
_PLACES: Final[Mapping[str, Place]] = {
    name: place for place, names in TABS.items() for name in names
}
_RENAMED: Final[Mapping[str, str]] = {
    "Trial": TRIAL,
    "Inside": INTERNALS,
    "Wire": EXCHANGE,
    "Trace": FOLLOW,
    "Deployment": RESOURCES,
    "Savepoint": RESTORE,
}
"""Tabs by their names in old links."""


def place_of(tab: str) -> Place:
    """Return the place of a tab."""
    return _PLACES[tab]


def place_named(name: str) -> Place:
    """Return the place of this name; raise ``StopIteration`` where there is none."""
    return next(place for place in PLACES if place == name)


def resolve(*, travelled: bool = False) -> Place:
    """Settle the open place and its tab; call once a run, before any widget is drawn.

    A tab that was opened by name, or by an old link, opens its place; a place that was opened
    shows the tab that was open there last. ``travelled``: the browser went back or forward.
    """
    state = st.session_state
    place, tab = _travelled_to() if travelled else (_read_name(Key.PLACE), _read_name(Key.TABS))
    place, tab = _match_spelling(place, PLACES), _match_spelling(_present_name(tab), NAMES)
    last: dict[str, str] = state.setdefault(Key.PLACE_TABS, {})
    chosen_place = place if place in PLACES else PLACES[0]
    if place in PLACES and state.get(Key.PLACE_BEFORE) not in {None, place}:
        if _PLACES.get(tab) != place:
            tab = last.get(place, TABS[chosen_place][0])
    elif tab in _PLACES:
        chosen_place = _PLACES[tab]
    if _PLACES.get(tab) != chosen_place:
        tab = last.get(chosen_place, TABS[chosen_place][0])
    last[chosen_place] = tab
    _write(Key.PLACE, chosen_place)
    _write(Key.TABS, tab)
    state[Key.PLACE_BEFORE] = chosen_place
    return chosen_place


def _present_name(tab: str) -> str:
    """Return the name of today of a tab that had this one; else the name itself."""
    return _RENAMED.get(_match_spelling(tab, tuple(_RENAMED)), tab)


def _match_spelling(name: str, names: Sequence[str]) -> str:
    """Return the known name that differs in case alone; else the name itself."""
    return next((known for known in names if known.casefold() == name.casefold()), name)


def unknown_names() -> Iterator[str]:
    """Yield a sentence on each name in the address, such as a place's, that means nothing.

    Before ``resolve``, which puts existing places and tabs into the address.
    """
    for key, kind, names in (
        (Key.PLACE, "place", PLACES),
        (Key.TABS, "tab", NAMES),
        (session.VIEW, "view", session.READINGS),
        (session.THEME, "theme", session.THEMES),
    ):
        name = str(st.query_params.get(key, ""))
        if name and _match_spelling(_present_name(name), names) not in names:
            yield f"there is no {kind} {quoted(name)}; the {kind}s are {listed(names)}"
    graphs = str(st.query_params.get(Key.LEVELS, ""))
    if graphs and parsed_levels(graphs) is None:
        yield f"there are no graphs {quoted(graphs)}; name one or two of {listed(LEVELS)}"


def _travelled_to() -> tuple[str, str]:
    """Return the place and the tab of the address, which leaves the first ones out.

    After the browser's Back button, the address has the old place and the session the new one.
    """
    place = str(st.query_params.get(Key.PLACE, PLACES[0]))
    tabs = TABS[place_named(place)] if place in PLACES else TABS[PLACES[0]]
    return place, str(st.query_params.get(Key.TABS, tabs[0]))


def _write(key: Key, value: str) -> None:
    """Set a widget's value; untouched where session or address hold it already.

    Before a widget is drawn for the first time, Streamlit leaves its address to us; afterwards it
    writes the address itself.
    """
    if _read_name(key) != value:
        if key not in st.session_state:
            st.query_params[key] = value
        st.session_state[key] = value


def _read_name(key: Key) -> str:
    """Return a value from the session, else from the address."""
    return str(st.session_state.get(key) or st.query_params.get(key) or "")


def current() -> tuple[Place, str]:
    """Return the open place and tab, after ``resolve``."""
    tab = _read_name(Key.TABS)
    return _PLACES.get(tab, PLACES[0]), tab


def go(tab: str) -> None:
    """Open a tab and its place."""
    st.session_state[Key.TABS] = tab
    st.session_state[Key.PLACE] = _PLACES[tab]


def show() -> None:
    """Draw the row of places."""
    st.segmented_control(
        "Place",
        PLACES,
        key=Key.PLACE,
        required=True,
        label_visibility="collapsed",
        wrap=False,
        bind="query-params",
    )
