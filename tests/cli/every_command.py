"""The command lines that every kind of target is given."""

from collections.abc import Iterator


def command_lines(target: str, edge: tuple[str, str]) -> Iterator[list[str]]:
    """Each command with the target in every place of a FILE.

    ``edge``: an edge between two tasks of the target's graph, by node numbers.
    """
    for command in ("capture", "check", "draw", "explain", "lock", "plan", "resources", "steps"):
        yield [command, target]
    for command in ("bridge", "compare", "restore"):
        yield [command, target, target]
    for command in ("check", "explain", "resources"):
        yield [command, target, "--baseline", target]
    yield ["plan", target, "--from", target, "--format", "json"]
    yield ["releases", target, "--from", "1.20", "--to", "2.2"]
    yield ["whatis", "Map", target]
    yield ["exchange", target, "--edge", "->".join(edge)]
    yield ["compile", target, "--emit", "job-graph"]
