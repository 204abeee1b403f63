"""Small programs for the tests of passes, and how one is compiled."""

from typing import Any

from explorer import Compilation, compile_graph

SOURCE = {"id": "s", "type": "legacy_source"}
NEW_SOURCE = {"id": "s", "type": "source"}
SINK = {"id": "o", "type": "sink", "inputs": ["s"]}
LOOP: tuple[dict[str, Any], ...] = (
    SOURCE,
    {"id": "i", "type": "iterate", "inputs": ["s"]},
    {"id": "b", "type": "map", "inputs": ["i"]},
    {"id": "c", "type": "close_iteration", "inputs": ["b"], "iteration": "i"},
)


def compiled(
    *transformations: dict[str, Any], version: str = "1.20", **environment: Any
) -> Compilation:
    """What the release makes of the program, as the first of its JVM."""
    document = {"environment": environment, "transformations": list(transformations)}
    return compile_graph(document, version, iterations_before=0)
