"""Lookup of the operator that an ID, a name, or an error message with either, refers to.

Flink's messages name operators by 32 hex digits, and tasks and operators by their full names. The
document is translated under every release, with chaining on and off, and each ID is looked up. An
ID that is not found is searched for in simple programs.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

import msgspec

from explorer.errors import ExplorerError, TooLargeError
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.edge_limit import edge_limit, edges_limited
from explorer.flink.passes.hashing import local_hash, mix_in, uid_hash
from explorer.flink.releases import VERSIONS, spans
from explorer.lookup.identity import Identity, operator_identities
from explorer.model.document import Document
from explorer.model.frozen import FrozenRecord
from explorer.model.operator_ids import UNKNOWN, is_unknown
from explorer.model.stream_graph import NodeId, StreamNode, bare_name
from explorer.wording import counted, listed

_HEX: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{6,32}(?![0-9A-Za-z])")
_QUOTED: Final = re.compile(r'(?:uid|ID) ?[("\u201c]+([^")\u201d]+)')
_NAMED: Final = re.compile(r"assigned to operator (.+?)(?:[.\n]|$)")
_ATTEMPT: Final = re.compile(
    r"(?<![0-9A-Za-z])([0-9a-fA-F]{32})_([0-9a-fA-F]{32})_(\d{1,10})_(\d{1,10})(?![0-9A-Za-z])"
)
"""``ExecutionAttemptID.toString`` (1.16 on): execution graph, job vertex, subtask, attempt."""
_RANDOM_ATTEMPT: Final = re.compile(r"\(\d+/\d+\)(?:#\d+)? \(([0-9a-fA-F]{32})\)")
"""An attempt in a log of an earlier release, after the subtask and the number of attempts."""
_WORD: Final = re.compile(r"\w+")
_BEFORE_NAME: Final = re.compile(
    r"(?:operator|task|vert(?:ex|ices)|['\"\u201c])\s?$", re.IGNORECASE
)
_AFTER_NAME: Final = re.compile(r" \(\d+/\d+\)")
_DIGITS: Final = 32
_MOST_IDS: Final = 100
MOST_EDGES: Final = 20_000
"""Edges of a graph that is searched: it is translated for every release, twice."""
_LONGEST_LINE: Final = 6
_MOST_OUTPUTS: Final = 3
_MOST_RETAINED: Final = 128
"""Programs of which all possible IDs are retained."""
_MOST_RETAINED_PARTS: Final = 60
"""Transformations of such a program: those of a larger one would take megabytes."""


class IdentifiedPart(msgspec.Struct, frozen=True, kw_only=True):
    """The operator or the task that has an ID."""

    text: str
    """The ID, or the part of it, as it was given."""
    kind: str
    """``operator``, ``vertex``, ``uid hash``, ``uid``, ``name`` of an operator, ``task name``, or
    ``client ID`` and ``scheduler ID``: the ID in the JobGraph of a BATCH job that the configuration
    does not select."""
    id: str
    operator: str
    transformation: str | None
    identity: Identity
    """The operator's identity, which is the same under every release."""
    vertex: str
    releases: tuple[str, ...]
    chaining: bool
    """Whether chaining was as the document sets it; False: only with the opposite setting."""
    sentence: str


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A position in a straight pipeline at which an operator without a uid has an ID."""

    place: int
    """Number of operators before it."""
    chained_outputs: tuple[int, ...]
    """The number of chained outputs of each operator, from the source on."""

    def sentence(self) -> str:
        """The position in words."""
        outputs = self.chained_outputs[-1]
        words = {0: "no chained output", 1: "one chained output"}
        chained = words.get(outputs, f"{outputs} chained outputs")
        return f"operator {self.place + 1} of a straight pipeline without uids, with {chained}"


class ExecutionAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """An ``ExecutionAttemptID`` in a text, part by part."""

    text: str
    execution_graph: str | None = None
    """None: the ID is random, as in releases before 1.16."""
    vertex: str | None = None
    subtask: int | None = None
    """Counted from 0."""
    attempt: int | None = None
    """Counted from 0."""

    def sentence(self, tasks: Mapping[str, str]) -> str:
        """Explain the parts; ``tasks``: the names of known tasks by their IDs."""
        if self.execution_graph is None:
            return (
                f"{self.text} is the ID of an execution attempt, one try to run a subtask: it is "
                "random in releases before 1.16, and no operator has it."
            )
        name = tasks.get(self.vertex or "")
        task = f"the task {name!r}" if name else "a task that this pipeline does not have"
        return (
            f"{self.text} is an execution attempt, one try to run a subtask: "
            f"{self.execution_graph} is the execution graph, which is another one each time that a "
            f"job manager starts the job; {self.vertex} is {task}; {self.subtask} is the index of "
            f"the subtask, counted from 0; {self.attempt} is the number of the attempt, 0 before "
            "the first restart."
        )


class Identification(FrozenRecord, frozen=True, kw_only=True):
    """All results for a text."""

    findings: tuple[IdentifiedPart, ...]
    positions: Mapping[str, tuple[Position, ...]]
    """Maps each ID that is not in the document to its positions in simple programs."""
    unknown: tuple[str, ...]
    """IDs for which nothing was found."""
    left_out: int = 0
    """Number of IDs after the first hundred, which were not looked up."""
    unknown_ids: int = 0
    """Number of operators of the document of which no release gives the ID for certain."""
    attempts: tuple[ExecutionAttempt, ...] = ()


def whatis(
    text: str, document: Document, pause: Callable[[], None] = lambda: None
) -> Identification:
    """Find every ID and name of ``text`` in ``document``; ``text`` may be a whole error message.

    ``pause`` is called between two releases; what it raises ends the search.
    """
    ids = ids_in(text)
    ids, left_out = ids[:_MOST_IDS], len(ids[_MOST_IDS:])
    named = {match.strip() for match in (*_QUOTED.findall(text), *_NAMED.findall(text))}
    uses, uncertain = _find_uses(document, text, ids, named, pause)
    visible = {use[:4] for use in uses if use.chaining}
    order = {id: at for at, id in enumerate(ids)}
    # With chaining the other way an ID adds nothing where the document itself has it.
    findings = sorted(
        (
            _finding(use, versions, "off" if document.chaining else "on")
            for use, versions in uses.items()
            if use.chaining or use[:4] not in visible
        ),
        key=lambda part: order.get(part.text, -1),
    )
    known = {finding.text for finding in findings}
    lost = [id for id in ids if id not in known]
    whole = [id for id in lost if len(id) == _DIGITS and not uncertain]
    positions = {id: result for id in whole if (result := simple_positions(id))}
    return Identification(
        findings=tuple(findings),
        positions=positions,
        unknown=tuple(id for id in lost if id not in positions),
        left_out=left_out,
        unknown_ids=uncertain,
        attempts=tuple(_attempts_in(text)),
    )


def ids_in(text: str) -> list[str]:
    """Return the IDs, and what may be the first digits of IDs, each once.

    Of an execution attempt's ID only the task's: no program has the others.
    """
    text = _ATTEMPT.sub(r"\2", _RANDOM_ATTEMPT.sub("", text))
    return list(dict.fromkeys(match.lower() for match in _HEX.findall(text)))


def _attempts_in(text: str) -> Iterator[ExecutionAttempt]:
    for result in {match[0]: match for match in _ATTEMPT.finditer(text)}.values():
        graph, vertex = result[1].lower(), result[2].lower()
        yield ExecutionAttempt(
            text=result[0],
            execution_graph=graph,
            vertex=vertex,
            subtask=int(result[3]),
            attempt=int(result[4]),
        )
    yield from (ExecutionAttempt(text=id) for id in dict.fromkeys(_RANDOM_ATTEMPT.findall(text)))


def names_in(text: str, names: Iterable[str]) -> set[str]:
    """Return the names that stand in the text as a whole, without those within longer ones.

    A name of one word counts where the text marks it as a name: after ``operator`` or ``task``,
    in quotes, or before the number of a subtask, as ``(1/4)``.
    """
    result = [
        (match.start(), match.end(), name)
        for name in set(names)
        if name in text
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if not _WORD.fullmatch(name)
        or _BEFORE_NAME.search(text[: match.start()])
        or _AFTER_NAME.match(text, match.end())
    ]
    return {
        name
        for start, end, name in result
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b, _ in result)
    }


def other_sentences(answer: Identification) -> Iterator[str]:
    """Describe execution attempts, and the IDs that this pipeline does not have."""
    tasks = {finding.id: finding.vertex for finding in answer.findings if finding.kind == "vertex"}
    yield from (attempt.sentence(tasks) for attempt in answer.attempts)
    for id, positions in answer.positions.items():
        places = "; or ".join(position.sentence() for position in positions)
        yield f"{id} is not in this pipeline. Elsewhere it can be {places}."
    for id in answer.unknown:
        if answer.unknown_ids:
            operators = counted(answer.unknown_ids, "operator")
            yield f"{id} is no known ID of this job. The IDs of {operators} are {UNKNOWN}."
        elif len(id) < _DIGITS:
            yield f"No ID of this pipeline begins with {id}, under any release."
        else:
            yield (
                f"{id} is not in this pipeline, under no release, and no simple pipeline has it: "
                "look for a uid that was changed, or for a pipeline with joins."
            )
    if answer.left_out:
        yield f"{answer.left_out:,} more IDs of this text were not looked up."


def _compilations(
    document: Document, pause: Callable[[], None]
) -> Iterator[tuple[Compilation, bool]]:
    """Compile for every release that accepts the document, with its chaining and without."""
    other_document = document.with_chaining(on=not document.chaining)
    for version in VERSIONS:
        for program, chaining in ((document, True), (other_document, False)):
            pause()
            try:
                with edges_limited(MOST_EDGES):
                    compilation = compile_program(program, version)
            except TooLargeError:
                # Not a release that refuses the program: nothing would be found, nor be known.
                raise
            except ExplorerError:
                continue
            yield compilation, chaining


class _IdUse(NamedTuple):
    """An operator under an ID; equal uses under several releases are reported once."""

    text: str
    kind: str
    id: str
    operator: str
    transformation: str | None
    identity: Identity
    vertex: str
    chaining: bool
    operators: tuple[str, ...] = ()
    """Of a task's name, its operators in words."""


def _find_uses(
    document: Document,
    text: str,
    asked: Sequence[str],
    named: set[str],
    pause: Callable[[], None],
) -> tuple[dict[_IdUse, list[str]], int]:
    """Map each use to its releases, and count the operators with unknown IDs in all releases."""
    result: dict[_IdUse, list[str]] = {}
    unknown_ids: list[int] = []
    ids = _AskedIds(asked)
    # One compilation at a time: those of a large document under all releases need gigabytes.
    for compilation, chaining in _compilations(document, pause):
        unknown_ids.append(sum(map(is_unknown, compilation.hashes.values())))
        pairs = operator_identities(compilation.stream_graph)
        names = _names_of(compilation, text) if chaining else set()
        for use in _task_uses(compilation, pairs, names):
            result.setdefault(use, []).append(compilation.release.version)
        called = named | names
        for node in compilation.stream_graph.nodes:
            matches = [*_ids_with(ids, compilation, node)]
            if chaining and not called.isdisjoint({node.uid, node.name, bare_name(node.name)}):
                matches.append((node.name, "name", compilation.hashes[node.id]))
            for match in matches:
                vertex = compilation.job_graph.task_of(node.id).name
                origin, identity = node.transformation, pairs[node.id]
                use = _IdUse(*match, node.name, origin, identity, vertex, chaining)
                result.setdefault(use, []).append(compilation.release.version)
    return result, min(unknown_ids, default=0)


def _names_of(compilation: Compilation, text: str) -> set[str]:
    """Return the names of tasks and operators that the text contains."""
    operators = (node.name for node in compilation.stream_graph.nodes)
    return names_in(text, (*operators, *(vertex.name for vertex in compilation.job_graph.vertices)))


def _task_uses(
    compilation: Compilation, pairs: Mapping[NodeId, Identity], names: set[str]
) -> Iterator[_IdUse]:
    """Yield the tasks with several operators that have one of these names."""
    nodes = compilation.stream_graph.by_id
    for vertex in compilation.job_graph.vertices:
        if vertex.name in names and len(vertex.operators) > 1:
            chain = [nodes[operator.node] for operator in vertex.operators]
            head = nodes[vertex.head]
            yield _IdUse(
                text=vertex.name,
                kind="task name",
                id=vertex.id,
                operator=head.name,
                transformation=head.transformation,
                identity=pairs[head.id],
                vertex=vertex.name,
                chaining=True,
                operators=tuple(_operator_words(node) for node in chain),
            )


def _operator_words(node: StreamNode) -> str:
    origin = f" (the transformation {node.transformation!r})" if node.transformation else ""
    return f"{node.name!r}{origin}"


def _finding(use: _IdUse, versions: list[str], other_setting: str) -> IdentifiedPart:
    """``other_setting``: the setting of chaining that the document does not have."""
    members = use._asdict()
    operators = members.pop("operators")
    origin = f"the transformation {use.transformation!r}" if use.transformation else ""
    if use.kind == "name":
        named = f"{use.operator!r}, {origin}" if origin else repr(use.operator)
        sentence = f"The message names {named}; its operator ID is {use.id}"
    elif use.kind == "task name":
        sentence = f"The message names the task {use.vertex!r} of {listed(operators)}; its ID, and "
        sentence += f"the operator ID of its head, is {use.id}"
    else:
        sentence = _SENTENCES[use.kind].format(**members)
        sentence += f", from {origin}" if origin else ""
        sentence += "" if use.chaining else f", if chaining were turned {other_setting}"
    sentence += f" (Flink {spans(versions)})."
    return IdentifiedPart(releases=tuple(versions), sentence=sentence, **members)


class _AskedIds:
    """The beginnings of IDs that are searched for; a search costs the same for one and many."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._by_length: dict[int, set[str]] = defaultdict(set)
        for part in parts:
            self._by_length[len(part)].add(part)

    @property
    def has_whole_ids(self) -> bool:
        """Whether an ID that is searched for is whole."""
        return _DIGITS in self._by_length

    def beginnings_of(self, id: str) -> list[str]:
        """Return those with which an ID begins."""
        return [id[:length] for length, parts in self._by_length.items() if id[:length] in parts]


def _ids_with(
    asked_ids: _AskedIds, compilation: Compilation, node: StreamNode
) -> Iterator[tuple[str, str, str]]:
    """Yield what was asked, the kind and the ID, of the operator's IDs and those of its names."""
    for kind, id in _ids_of(compilation, node):
        yield from ((part, kind, id) for part in asked_ids.beginnings_of(id))
    if asked_ids.has_whole_ids:
        for id in _ids_of_names(node):
            yield from ((id, "uid", id) for part in asked_ids.beginnings_of(id) if part == id)


def _ids_of(compilation: Compilation, node: StreamNode) -> Iterator[tuple[str, str]]:
    """Yield kind and ID of an operator's IDs."""
    operator_id = compilation.hashes[node.id]
    # The mark of an unknown ID begins with no hexadecimal digit: it is never what is asked for.
    of_task = operator_id == compilation.job_graph.task_of(node.id).id
    yield "vertex" if of_task else "operator", operator_id
    other_id = compilation.alternative.hashes[node.id] if compilation.alternative else operator_id
    if other_id != operator_id:
        yield "client ID" if compilation.is_adaptive else "scheduler ID", other_id
    if node.uid_hash is not None:
        yield "uid hash", node.uid_hash.lower()


def _ids_of_names(node: StreamNode) -> Iterator[str]:
    """Yield the IDs that the operator would have with its own names as its uid."""
    for text in {node.name, node.transformation} - {None, node.uid}:
        yield uid_hash(str(text))


def identities_by_id(document: Document) -> Mapping[str, Sequence[Identity]]:
    """Map each ID that an operator has or could have to the operators, by their identities.

    That is under any release, with chaining as the document sets it, first in the lists, or not.
    """
    if document.parts <= _MOST_RETAINED_PARTS:
        with suppress(OverflowError):  # an integer of more than 64 bits
            return _retained_identities(_Content(document))
    return _search_identities(document)


class _Content:
    """A document as the key of what was made of it: its records have no hash."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._key = document.kind, msgspec.msgpack.encode(document), edge_limit()

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Content) and other._key == self._key


@lru_cache(maxsize=_MOST_RETAINED)
def _retained_identities(content: _Content) -> Mapping[str, Sequence[Identity]]:
    """Search once for all verdicts on the same program, however often it is read anew."""
    return _search_identities(content.document)


def _search_identities(document: Document) -> Mapping[str, Sequence[Identity]]:
    uses: defaultdict[str, dict[tuple[bool, Identity], None]] = defaultdict(dict)
    for compilation, chaining in _compilations(document, lambda: None):
        identities = operator_identities(compilation.stream_graph)
        for node in compilation.stream_graph.nodes:
            ids = (*(id for _, id in _ids_of(compilation, node)), *_ids_of_names(node))
            for id in ids:
                uses[id][not chaining, identities[node.id]] = None
    return {
        id: tuple(identity for _, identity in sorted(pairs, key=itemgetter(0)))
        for id, pairs in uses.items()
        if not is_unknown(id)
    }


_SENTENCES: Final = {
    "vertex": "{id} is the task {vertex!r}, and the operator ID of its head {operator!r}",
    "operator": "{id} is the operator ID of {operator!r}, in the task {vertex!r}",
    "client ID": "{id} is the ID of {operator!r}, in the task {vertex!r}, in the JobGraph that the "
    "client makes; the adaptive batch scheduler gives the operator another ID",
    "scheduler ID": "{id} is the ID of {operator!r}, in the task {vertex!r}, if the adaptive batch "
    "scheduler makes the tasks; the configuration selects the one-pass JobGraph",
    "uid hash": "{id} is the uid hash set on {operator!r}, in the task {vertex!r}",
    "uid": "{id} is the ID that {operator!r} would have with its own name or id as its uid",
}


def simple_positions(id: str) -> tuple[Position, ...]:
    """Find the positions of an ID in straight pipelines without uids, shortest first."""
    return _positions().get(int(id, 16), ())


@cache
def _positions() -> Mapping[int, tuple[Position, ...]]:
    """Map the IDs of all simple programs to their positions; made once, for every search."""
    positions: dict[int, tuple[Position, ...]] = {}
    level: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for place in range(_LONGEST_LINE):
        following = []
        for previous, outputs in level:
            for chained in range(_MOST_OUTPUTS + 1):
                value = int.from_bytes(local_hash(place, chained), "big")
                value = mix_in(value, previous) if outputs else value
                following.append((value, (*outputs, chained)))
                position = Position(place=place, chained_outputs=(*outputs, chained))
                positions[value] = (*positions.get(value, ()), position)
        level = following
    return positions
