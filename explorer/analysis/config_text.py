"""Show the values of a StreamConfig in words."""

from explorer.model.stream_config import ConfigEdge, ConfigEntry, ConfigInput, ConfigOutput

UNKNOWN = "written by Flink; the document does not show its value"


def described_value(entry: ConfigEntry) -> str:
    """The value of one key; of a list all its members, in their order."""
    if not entry.known:
        return UNKNOWN
    if isinstance(entry.value, tuple):
        return f"[{', '.join(map(_member, entry.value))}]"
    return _member(entry.value)


def _member(value: object) -> str:
    match value:
        case ConfigEdge():
            return _edge(value)
        case ConfigOutput():
            return _output(value)
        case ConfigInput():
            return _input(value)
        case bool():
            return str(value).lower()
        case None:
            return "null"
        case _:
            return str(value)


def _edge(edge: ConfigEdge) -> str:
    number = f" input {edge.type_number}" if edge.type_number else ""
    tag = "" if edge.side_output is None else f" side output {edge.side_output}"
    return f"{edge.source} -> {edge.target}{number} {edge.partitioner}{tag}"


def _output(output: ConfigOutput) -> str:
    tag = "" if output.side_output is None else f" side output {output.side_output}"
    overtake = "may" if output.supports_unaligned_checkpoints else "must not"
    most = output.consumer_max_parallelism
    return (
        f"{output.source}{tag} {output.partitioner} {output.partition_type}, buffer timeout "
        f"{output.buffer_timeout} ms, consumer parallelism {output.consumer_parallelism} "
        f"(maximum {most}), checkpoint barriers {overtake} overtake records"
    )


def _input(one: ConfigInput) -> str:
    if one.edge is not None:
        return f"chained source, {_edge(one.edge)}"
    by = "" if one.serializer is None else f" {one.serializer}"
    return f"input gate {one.gate} {one.requirement}{by}"
