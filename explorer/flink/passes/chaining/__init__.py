"""The pass that decides which edges chain; mirrors ``StreamingJobGraphGenerator.isChainable``."""

from explorer.flink.passes.chaining.judging import Ask, decide, judge_edges, questions
from explorer.flink.passes.chaining.rules import BIT, RULES, Rule

__all__ = ["BIT", "RULES", "Ask", "Rule", "decide", "judge_edges", "questions"]
