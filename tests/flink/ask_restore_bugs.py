"""Which patch releases have the fixes of bugs of Flink's restores, as their jars show it.

``python -m tests.flink.ask_restore_bugs VERSION=PATH...`` reads jars, or folders of jars, which
``python -m explorer flink install VERSION`` brings, and writes
``tests/golden/restore_bugs.jsonl.gz``: a line for each version with ``fixed``, by issue whether
its fix is in the bytecode.
"""

import gzip
import json
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from explorer.documents.readers.class_files import ClassFile, read_class
from tests.golden_files import GOLDEN

CHECKPOINT: Final = "org/apache/flink/runtime/checkpoint/"
RETURN: Final = 0xB1
"""The opcode ``return``."""


def _declares(name: str) -> Callable[[ClassFile], bool]:
    return lambda one: any(member.key.startswith(f"{name}(") for member in one.members)


def _sets_up_partitioner(one: ClassFile) -> bool:
    """The copy of the partitioner that a record's filter asks knows its channels."""
    applied = [method for method in one.methods if method.name == "apply"]
    return any(call.name == "setup" for method in applied for _, call in one.calls(method))


def _goes_on_with_next_key(one: ClassFile) -> bool:
    """``finishBundle`` returns at its end alone, not where a key has retractions alone."""
    (bundle,) = [method for method in one.methods if method.name == "finishBundle"]
    return len(list(_opcodes(bundle.code, RETURN))) == 1


def _opcodes(code: bytes, wanted: int) -> Iterator[int]:
    """Positions of an opcode; operands of other instructions are skipped."""
    position = 0
    while position < len(code):
        if code[position] == wanted:
            yield position
        position += 1 + OPERANDS.get(code[position], 0)


OPERANDS: Final[Mapping[int, int]] = {
    **dict.fromkeys((0x10, 0x12, 0xA9, 0xBC, *range(0x15, 0x1A), *range(0x36, 0x3B)), 1),
    **dict.fromkeys((0x11, 0x13, 0x14, 0x84, *range(0x99, 0xA9)), 2),
    **dict.fromkeys((*range(0xB2, 0xB9), 0xBB, 0xBD, 0xC0, 0xC1, 0xC6, 0xC7), 2),
    **dict.fromkeys((0xB9, 0xBA, 0xC8, 0xC9), 4),
    0xC5: 3,
}
"""Bytes of an instruction's operands; ``finishBundle`` has neither switches nor ``wide``."""


def _forwards_permission(one: ClassFile) -> bool:
    """Whether left over state is allowed is no constant: before, the call passed false for it."""
    name = "restoreInitialCheckpointIfPresent"
    (method,) = [method for method in one.methods if method.name == name]
    (call,) = [
        position
        for position, called in one.calls(method)
        if called.name == "restoreLatestCheckpointedStateInternal"
    ]
    return method.code[call - 3 : call] != CONSTANTS


CONSTANTS: Final = bytes((0x03, 0x03, 0x04))
"""The opcodes ``iconst_0``, ``iconst_0`` and ``iconst_1``."""


QUESTIONS: Final[Mapping[str, tuple[str, Callable[[ClassFile], bool]]]] = {
    "FLINK-31963": (f"{CHECKPOINT}TaskStateAssignment", _declares("hasDownstreamInputStates")),
    "FLINK-35351": (
        "org/apache/flink/streaming/runtime/io/recovery/"
        "RescalingStreamTaskNetworkInput$RecordFilterFactory",
        _sets_up_partitioner,
    ),
    "FLINK-35661": (
        "org/apache/flink/table/runtime/operators/aggregate/MiniBatchGroupAggFunction",
        _goes_on_with_next_key,
    ),
    "FLINK-38267": (f"{CHECKPOINT}TaskStateAssignment", _declares("hasInFlightDataForInputGate")),
    "FLINK-39513": (f"{CHECKPOINT}CheckpointCoordinator", _forwards_permission),
}
"""By issue, the class that its fix changes, and whether a class file has the fix."""


def ask(version: str, place: Path) -> dict[str, Any]:
    """The answers of a version's jars."""
    classes = dict(_classes(sorted(place.glob("*.jar")) if place.is_dir() else [place]))
    fixed = {issue: has_fix(classes[name]) for issue, (name, has_fix) in QUESTIONS.items()}
    return {"version": version, "fixed": fixed}


def _classes(jars: list[Path]) -> Iterator[tuple[str, ClassFile]]:
    names = {f"{name}.class" for name, _ in QUESTIONS.values()}
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            for name in names.intersection(archive.namelist()):
                yield name.removesuffix(".class"), read_class(archive.read(name))


if __name__ == "__main__":
    places = (text.partition("=") for text in sys.argv[1:])
    lines = [json.dumps(ask(version, Path(place)), sort_keys=True) for version, _, place in places]
    target = GOLDEN / "restore_bugs.jsonl.gz"
    target.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
