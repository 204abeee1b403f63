"""Names of keyed states in the bytes of a subtask: what is a name, and how many are read."""

import re
import struct

from hypothesis import given
from hypothesis import strategies as st

from explorer.savepoints.data_input import modified_utf8
from explorer.savepoints.state_names import MOST_NAMES, keyed_state_names

OPTION = b"\x00\x10KEYED_STATE_TYPE"
BEFORE = struct.pack(">ii", 0, 3)
"""Key-value state, three options."""
PRINTABLE = re.compile(r"[^\x00-\x1f\x7f]+")


def state(name: str) -> bytes:
    text = name.encode()
    return struct.pack(">H", len(text)) + text + BEFORE + OPTION


def names_step_by_step(content: bytes) -> tuple[str, ...]:
    """The definition: of each option, the shortest text before it with its length written there."""
    found = []
    for place in (match.start() - 8 for match in re.finditer(OPTION, content)):
        if place < 0 or content[place : place + 7] != BEFORE[:7]:
            continue
        if not 1 <= content[place + 7] <= 8:
            continue
        for length in range(1, min(500, place - 2) + 1):
            start = place - length
            if content[start - 2 : start] == struct.pack(">H", length):
                name = modified_utf8(content[start:place])
                found += [name] if PRINTABLE.fullmatch(name) else []
                break
    return tuple(dict.fromkeys(found))


PIECES = st.one_of(
    st.sampled_from((OPTION, BEFORE, BEFORE + OPTION, b"\x00", b"\x01", b"\x7f", b"a")),
    st.integers(0, 520).map(lambda length: struct.pack(">H", length) + b"n" * length),
    st.sampled_from((1, 31, 32, 127, 255, 256, 257, 500)).map(lambda many: state("n" * many)),
    st.binary(max_size=3),
)


@given(st.lists(PIECES, max_size=12).map(b"".join))
def test_the_search_finds_the_names_of_a_step_by_step_search(content: bytes) -> None:
    assert keyed_state_names(content) == names_step_by_step(content)


def test_names_of_all_lengths_and_letters_are_found() -> None:
    names = ("a", "b" * 30, "c" * 31, "d" * 32, "e" * 127, "f" * 256, "g" * 500, "käse", "計数")

    assert keyed_state_names(b"serializers" + b"".join(map(state, names))) == names
    assert keyed_state_names(state("h" * 501)) == ()


def test_a_handle_gives_so_many_names() -> None:
    content = b"".join(state(f"state {number}") for number in range(MOST_NAMES + 1))

    assert len(keyed_state_names(content)) == MOST_NAMES
