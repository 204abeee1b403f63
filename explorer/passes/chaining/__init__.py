"""The pass that decides which edges chain; mirrors ``StreamingJobGraphGenerator.isChainable``."""

from explorer.passes.chaining.judging import Ask, decide, judge_edges, questions
from explorer.passes.chaining.rules import BIT, RULES, Rule

__all__ = ["BIT", "RULES", "Ask", "Rule", "decide", "judge_edges", "questions"]
