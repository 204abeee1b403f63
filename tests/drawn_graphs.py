"""Graphs with names that mean something to Mermaid, DOT, XML, HTML or JSON."""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape

import explorer
from explorer import CompiledGraph
from tests.strategies import NAUGHTY

HOSTILE = (
    *NAUGHTY,
    "Source: a.b -> c.d",
    "end",
    "]]>",
    "--> <!-- -->",
    "&lt;b&gt; &amp;",
    "#35; #quot; ﬂ°°35¶ß",
    "%%{init: {}}%%",
    'trailing \\ and \\"',
    "\\N \\G \\l",
    "1. one\n- two",
    "style x:#fff;",
    '"]; evil [label="',
    '"]\n  evil["',
    "</script><script>alert(1)</script>",
    "href=javascript:alert(1)",
    "\u2067rtl\u2069 \u200f.",
    "e\u0301" * 200,
    "🏳️‍🌈" * 80,
    "\ud7ff\ue000\ufffd\U0010ffff\ufffe\uffff",
    "\x01\x08\x1b[31m\x7f",
)


@cache
def hostile_graph(name: str) -> CompiledGraph:
    """Two tasks and a side output in which everything that a user may name is called so."""
    env = explorer.environment(name, parallelism=2, flink_version="1.20")
    source = env.source("in", name=name, uid=name, slot_sharing_group=name[:5000])
    work = source.process("work", name=name, slot_sharing_group=f"{name[:5000]} too")
    work.side_output(name[:100], id="late").sink("aside", name=name)
    work.key_by("k").reduce("sum", name=name).sink("out", name=name)
    return env.compile()


_ITEM = r"[A-Za-z_]\w*|-?[\d.]+"
_DOT = re.compile(
    rf'\s*(?:(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<word>{_ITEM})|(?P<sign>->|[{{}}\[\]=;,]))'
)


def dot_tokens(text: str) -> Iterator[tuple[str, str]]:
    """The words, signs and texts of a DOT document; fails where it is none."""
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _DOT.match(text, place)
        assert match, text[place : place + 60]
        place = match.end()
        yield str(match.lastgroup), match[str(match.lastgroup)]


def dot_label(text: str) -> str:
    """What Graphviz shows for a quoted label."""
    return unescape(re.sub(r"\\(.)", r"\1", text[1:-1]))
