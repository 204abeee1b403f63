"""Owners of state: each operator of a savepoint, looked up in a document.

IDs are looked up under the document's own release, then under every other, with chaining and
without, as Find ID does; other owners are guessed from their position and the names of their state.
"""

from typing import Final

import msgspec

from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.lookup.whatis import Identification, whatis
from explorer.model.document import Document
from explorer.savepoints import OperatorState, Savepoint

BY_STATE: Final = {
    "SourceReaderState": "a source of the new API",
    "_op_state": "a keyed reduce",
    "window-contents": "a window",
    "_async_wait_operator_state_": "an asynchronous wait operator",
    "writer_raw_states": "a sink's writer",
    "streaming_committer_raw_states": "a sink's committer",
    "topic-partition-offset-states": "a Kafka source of the old API",
    "left-buffer": "an interval join",
}
"""Maps names of states to the operators of Flink that register them."""


class StateOwner(msgspec.Struct, frozen=True, kw_only=True):
    """An operator of a savepoint, and the program's operator with its ID."""

    state: OperatorState
    operator: str | None
    """The document's operator; None: none has this ID under its own release."""
    found_by: str | None
    """``generated ID``, ``uid`` or ``uid hash``; None: by none of them."""
    elsewhere: str
    """A sentence on an ID that no operator has: another release's, or a guess."""

    @property
    def sentence(self) -> str:
        """The owner of the ID, in words."""
        if self.operator is not None:
            return f"{self.operator}, by its {self.found_by}"
        return f"no operator of this document{f': {self.elsewhere}' if self.elsewhere else ''}"


def find_owners(savepoint: Savepoint, document: Document) -> tuple[StateOwner, ...]:
    """Look up every operator of the savepoint, in the metadata's order."""
    pairs = _known_ids(document)
    missing = [state.operator_id for state in savepoint.operators if state.operator_id not in pairs]
    answer = whatis(" ".join(missing), document)
    state_owners = []
    for state in savepoint.operators:
        name, by = pairs.get(state.operator_id, (None, None))
        elsewhere = _elsewhere(state, answer) if name is None else ""
        state_owners.append(
            StateOwner(state=state, operator=name, found_by=by, elsewhere=elsewhere)
        )
    return tuple(state_owners)


def _known_ids(document: Document) -> dict[str, tuple[str, str]]:
    """Map IDs under the document's release to operators and kinds of IDs."""
    try:
        compilation = compile_program(document)
    except ExplorerError:
        return {}
    pairs = {}
    for node in compilation.stream_graph.nodes:
        by = "generated ID" if node.uid is None else "uid"
        if node.operator_id is not None:
            by = "ID in the running job"
        pairs[compilation.hashes[node.id]] = (node.name, by)
        if node.uid_hash is not None:
            pairs[node.uid_hash.lower()] = (node.name, "uid hash")
    return pairs


def _elsewhere(state: OperatorState, answer: Identification) -> str:
    for finding in answer.findings:
        if finding.id == state.operator_id:
            return finding.sentence
    kinds = [BY_STATE[name] for name in state.state_names if name in BY_STATE]
    places = [place.sentence() for place in answer.positions.get(state.operator_id, ())]
    named = [f"it was called {state.name!r}"] if state.name else []
    guesses = [*named, *(f"most likely {kind}" for kind in kinds[:1]), *places[:1]]
    return ", ".join(guesses)
