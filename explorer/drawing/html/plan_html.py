"""A plan as one offline page: verdict, sections, and both graphs with what changed marked."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from explorer.drawing.svg.both_graphs import to_svg
from explorer.drawing.svg.palette import PARTS
from explorer.drawing.view.annotations import Annotations, Mark
from explorer.drawing.view.elements import element_key
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.one_line import shortened
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.model.document import Document
from explorer.plans.record import (
    SEVERITIES,
    VERDICT_WORDS,
    Plan,
    PlanChange,
    PlanFix,
    PlanSection,
    PlanVerdict,
)
from explorer.plans.words import MARKS, sentence, short_ids, side_words, values
from explorer.wording import counted, listed, without_turning

_COLOURS: Final[Mapping[PlanVerdict, tuple[str, str]]] = {
    "deploy": (PARTS["good"][0], PARTS["on-chain"][0]),
    "attention": (PARTS["warn"][0], PARTS["on-warn"][0]),
    "unchecked": (PARTS["pick"][0], PARTS["glow"][0]),
    "do_not_deploy": (PARTS["bad"][0], PARTS["alarm"][0]),
}
"""By verdict, the colours of its text and of its ground."""
_STYLE: Final = f"""
body{{font:15px/1.5 system-ui,sans-serif;color:{PARTS["ink"][0]};background:{PARTS["card"][0]};
margin:0 auto;padding:24px;
max-width:1240px}}
h1{{font-size:26px;margin:0 0 4px}}h2{{font-size:18px;margin:0}}
.card,section{{border:1px solid {PARTS["border"][0]};border-radius:10px;
padding:14px 18px;margin:16px 0}}
.pill{{font-size:13px;font-weight:600;border-radius:12px;padding:2px 10px;margin-left:8px}}
table{{border-collapse:collapse;width:100%;margin-top:8px;table-layout:fixed}}
td{{border-top:1px solid {PARTS["rule"][0]};padding:6px 8px;
vertical-align:top;overflow-wrap:anywhere}}
td:first-child{{width:16px}}td:nth-child(2){{width:22%}}td:nth-child(3){{width:24%}}
code{{font:13px/1.5 ui-monospace,monospace}}
.graph{{overflow:auto}}.graph svg{{max-width:none}}
summary{{cursor:pointer;color:{PARTS["pick"][0]};margin-top:8px}}
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def plan_html(plan: Plan) -> str:
    """The page; it loads nothing, runs no script and shows every text as text."""
    title = _text(shortened(plan.headline))
    ink, ground = _COLOURS[plan.verdict]
    lines = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f'<div class="card" style="background:{ground}">',
        f'<h1 style="color:{ink}">{VERDICT_WORDS[plan.verdict]}</h1>',
        f"<p>{_text(plan.sentence)}</p>",
        *([f"<div>{_text(f'OLD: {side_words(plan.old)}')}</div>"] if plan.old else []),
        f"<div>{_text(f'NEW: {side_words(plan.new)}')}</div>",
        *(_fix(fix) for fix in plan.fixes),
        "</div>",
        *(line for section in plan.sections for line in _section(section)),
        "<section><h2>Checked</h2>",
        f"<p>{_text(listed(plan.checked))}</p>",
        *(f"<p>Not checked: {_text(item)}</p>" for item in plan.unchecked),
        "</section>",
        *(
            f'<section><h2>{title}</h2><div class="graph">{drawing}</div></section>'
            for title, document, release in (
                ("OLD", plan.documents.old, plan.old.release if plan.old else None),
                ("NEW", plan.documents.new, plan.new.release),
            )
            if document and (drawing := _drawing(document, release, plan, new=title == "NEW"))
        ),
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return escape(without_turning(text))


def _fix(fix: PlanFix) -> str:
    calls = "<br>".join(f"<code>{_text(line)}</code>" for line in fix.lines)
    return (
        f"<details><summary>Fix: {_text(fix.label)}</summary>{calls}"
        f"<p>Then: {_text(fix.outcome)}</p></details>"
    )


def _section(section: PlanSection) -> Iterator[str]:
    ink, ground = _COLOURS[section.verdict]
    pill = f'<span class="pill" style="color:{ink};background:{ground}">'
    yield f"<section><h2>{section.name.capitalize()}{pill}{VERDICT_WORDS[section.verdict]}</span>"
    yield f"</h2><p>{_text(section.sentence)}</p>"
    yield from _table(section.first)
    details = (*section.rest, *section.unchanged)
    if details:
        yield f"<details><summary>{counted(len(details), 'more line')}</summary>"
        yield from _table(details)
        yield "</details>"
    yield "</section>"


def _table(changes: Sequence[PlanChange]) -> Iterator[str]:
    if not changes:
        return
    yield "<table>"
    for change in changes:
        fix = f" Fix: <code>{_text(change.fix)}</code>" if change.fix else ""
        cells = (MARKS[change.severity], change.subject, short_ids(values(change)))
        row = "".join(f"<td>{_text(cell)}</td>" for cell in cells)
        yield f"<tr>{row}<td>{_text(short_ids(sentence(change)))}{fix}</td></tr>"
    yield "</table>"


def _drawing(document: Document, release: str | None, plan: Plan, *, new: bool) -> str | None:
    """Draw a program with its changes marked; None if it does not compile."""
    try:
        view = graph_view(compile_program(document, release))
    except ExplorerError:
        return None
    result: dict[str, list[PlanChange]] = {}
    if new:
        for change in plan.changes:
            result.setdefault(element_key(change.edge, change.node) or "", []).append(change)
    else:
        keys = {node.name: node.key for node in view.nodes}
        gone = (
            plan_change
            for plan_change in plan.section("graph").changes
            if plan_change.after is None
        )
        result = {keys[item.subject]: [item] for item in gone if item.subject in keys}
    structs = {**view.node_of, **view.edge_of}
    marks = {key: _mark(changes) for key, changes in result.items() if key in structs}
    tasks = {view.node_of[key].vertex: ("highlighted",) for key in marks if key in view.node_of}
    added = Annotations(marks=marks)
    return to_svg(view, document.name, theme="light", added=added, lights=tasks)


def _mark(changes: Sequence[PlanChange]) -> Mark:
    heaviest = max(changes, key=lambda change: SEVERITIES.index(change.severity))
    severity = "warning" if heaviest.severity == "unchecked" else heaviest.severity
    return Mark(severity=severity, line="; ".join(values(plan_change) for plan_change in changes))
