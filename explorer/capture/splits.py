"""Read ``OutputSelector`` classes and selected names, which StreamGraphs have until 1.11."""

from typing import Any

from explorer.capture.java_objects import JavaObjects


def output_selectors(objects: JavaObjects, node: Any) -> list[str]:
    """The classes of a StreamNode's output selectors, in the order of the ``split`` calls."""
    found = objects.call(node, "getOutputSelectors")
    if found is None:
        return []
    return [str(one.getClass().getSimpleName()) for one in objects.each(found)]


def selected_names(objects: JavaObjects, edge: Any) -> list[str]:
    """The output names that select a StreamEdge; empty where it receives every record."""
    found = objects.call(edge, "getSelectedNames")
    return [] if found is None else [str(name) for name in objects.each(found)]
