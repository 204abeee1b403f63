"""The pass from pipeline to StreamGraph; mirrors Flink's ``StreamGraphGenerator``."""

from explorer.flink.passes.generation.generator import Generated, generate
from explorer.flink.passes.generation.regeneration import regenerate
from explorer.flink.passes.generation.support import check_edges

__all__ = ["Generated", "check_edges", "generate", "regenerate"]
