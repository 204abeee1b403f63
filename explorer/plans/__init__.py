"""One verdict on a deploy: what changes from OLD to NEW, as one record for every output."""

from explorer.plans.plan_case import PlanRequest
from explorer.plans.plan_computation import make_plan, plan_of
from explorer.plans.record import Plan, PlanChange, PlanFix, PlanSection, PlanSide

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
