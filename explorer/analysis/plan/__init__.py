"""One verdict on a deploy: what changes from OLD to NEW, as one record for every output."""

from explorer.analysis.plan.plan_case import PlanRequest
from explorer.analysis.plan.plan_computation import make_plan, plan_of
from explorer.analysis.plan.record import Plan, PlanChange, PlanFix, PlanSection, PlanSide

__all__ = [
    "Plan",
    "PlanChange",
    "PlanFix",
    "PlanRequest",
    "PlanSection",
    "PlanSide",
    "make_plan",
    "plan_of",
]
