"""The pass that decides which edges chain; mirrors ``StreamingJobGraphGenerator.isChainable``."""

from explorer.passes.chaining.judging import decide, judge_edges
from explorer.passes.chaining.rules import BIT, RULES, Rule

__all__ = ["BIT", "RULES", "Rule", "decide", "judge_edges"]
