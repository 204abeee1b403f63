"""Show the values of a StreamConfig in words."""

from explorer.model.stream_config import ConfigEdge, ConfigEntry, ConfigInput, ConfigOutput
from explorer.wording import spelled

UNKNOWN = "written by Flink; the document does not show its value"


def described_value(entry: ConfigEntry) -> str:
    """Describe the value of one key; of a list all its members, in their order."""
    if not entry.known:
        return UNKNOWN
    if isinstance(entry.value, tuple):
        return f"[{', '.join(map(_member, entry.value))}]"
    return _member(entry.value)


def _member(value: object) -> str:
    match value:
        case ConfigEdge():
            number = f" input {value.type_number}" if value.type_number else ""
            tag = _side_output(value)
            return f"{value.source} -> {value.target}{number} {value.partitioner}{tag}"
        case ConfigOutput():
            overtake = "may" if value.supports_unaligned_checkpoints else "must not"
            return (
                f"{value.source}{_side_output(value)} {value.partitioner} {value.partition_type}, "
                f"buffer timeout {value.buffer_timeout} ms, consumer parallelism "
                f"{value.consumer_parallelism} (maximum {value.consumer_max_parallelism}), "
                f"checkpoint barriers {overtake} overtake records"
            )
        case ConfigInput(edge=None):
            by = "" if value.serializer is None else f" {value.serializer}"
            return f"input gate {value.gate} {value.requirement}{by}"
        case ConfigInput():
            return f"chained source, {_member(value.edge)}"
        case _:
            return "null" if value is None else spelled(value)


def _side_output(config_edge: ConfigEdge | ConfigOutput) -> str:
    return "" if config_edge.side_output is None else f" side output {config_edge.side_output}"
