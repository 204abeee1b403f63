"""The reports beside the playground's graphs: IDs, check, explain, restore and plan.

Each is one JSON object with a table, a text or a page, and the sentence that leads it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from explorer.checks.checking import check_document, unanswerable_rules
from explorer.checks.rule import CheckRule
from explorer.checks.table import BY_CODE
from explorer.comparison.baseline import Baseline
from explorer.datastream.shown_graph import WidgetGraph
from explorer.drawing.html.page_facts import operator_cells, operator_heads
from explorer.drawing.html.plan_html import plan_html
from explorer.drawing.layout.captions import facts
from explorer.plans import make_plan
from explorer.restore.restore_text import restore_text
from explorer.restore.verdict import restore

Json: TypeAlias = dict[str, Any]
NO_BASELINE: Final = (
    "Choose the deployed version first: a document, a captured program or a savepoint's _metadata."
)


def report_ids(graph: WidgetGraph, _baseline: Baseline | None) -> Json:
    """Each operator with its uid, operator ID and chain; a row's key selects the operator."""
    view = graph.compiled.view
    rows = [{"key": node.key, "cells": cells} for node, cells in operator_cells(view)]
    return {"sentence": facts(view), "table": {"heads": operator_heads(view), "rows": rows}}


def report_findings(graph: WidgetGraph, baseline: Baseline | None) -> Json:
    """Each finding with its severity, message and what to do; a row's key selects its operator."""
    findings = check_document(graph.document, before=graph.compiled, baseline=baseline)
    rows = [
        {
            "key": f"n{finding.nodes[0]}" if finding.nodes else None,
            "tone": finding.severity if finding.counts else "",
            "cells": [
                f"{finding.severity if finding.counts else 'silenced'} {finding.code}",
                finding.message,
                "; ".join(proposal.label for proposal in finding.proposals)
                or BY_CODE[finding.code].todo,
            ],
        }
        for finding in findings.findings
    ]
    heads = ["rule", "finding", "what to do"]
    sentence = " ".join((findings.sentence, *map(_not_asked, unanswerable_rules())))
    return {"sentence": sentence, "table": {"heads": heads, "rows": rows}}


def _not_asked(rule: CheckRule) -> str:
    return f"({rule.code} is not asked here: it needs {rule.library}.)"


def report_edges(graph: WidgetGraph, _baseline: Baseline | None) -> Json:
    """Why each edge chains or not, with every condition."""
    return {"sentence": "", "text": repr(graph.compiled.explain(fixes=False))}


def report_restore(graph: WidgetGraph, baseline: Baseline | None) -> Json:
    """Flink's verdict on a restore from the baseline, and what was checked."""
    if baseline is None:
        return {"sentence": NO_BASELINE}
    verdict = restore(baseline, graph.document, graph.compiled)
    headline, _, evidence = restore_text(verdict).partition("\n")
    return {"sentence": headline, "text": evidence}


def report_plan(graph: WidgetGraph, baseline: Baseline | None) -> Json:
    """The verdict before a deploy, as a page of its own."""
    plan = make_plan(graph.document, baseline)
    return {"sentence": "" if baseline else NO_BASELINE, "page": plan_html(plan)}


REPORTS: Final[Mapping[str, Callable[[WidgetGraph, Baseline | None], Json]]] = {
    "ids": report_ids,
    "check": report_findings,
    "explain": report_edges,
    "restore": report_restore,
    "plan": report_plan,
}
"""By name, the reports in the order of the page's tabs."""
