"""The pass from pipeline to StreamGraph; mirrors Flink's ``StreamGraphGenerator``."""

from explorer.flink.passes.generation.generator import Generated, generate
from explorer.flink.passes.generation.support import MOST_EDGES, check_edges

__all__ = ["MOST_EDGES", "Generated", "check_edges", "generate"]
