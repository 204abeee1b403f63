"""The pass from pipeline to StreamGraph; mirrors Flink's ``StreamGraphGenerator``."""

from explorer.flink.passes.generation.generator import Generated, generate

__all__ = ["Generated", "generate"]
