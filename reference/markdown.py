"""Markdown text of tables, code and escaped sentences."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import yaml


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a Markdown table; cells are one line each and contain Markdown.

    >>> print(table(["a", "b"], [["1", "x|y"]]))
    | a | b |
    | --- | --- |
    | 1 | x\|y |
    """
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Return inline code; nothing for an empty text."""
    return f"`{text}`" if text else ""


def plain(text: str) -> str:
    """Return a docstring's text as Markdown: double backquotes become single ones."""
    return " ".join(text.replace("``", "`").split()).replace("<", "&lt;")


def block(language: str, text: str) -> str:
    """Return a fenced code block."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def inline_yaml(value: Any) -> str:
    """Return a value as one line of YAML."""
    text = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True
    )
    return text.removesuffix("...\n").strip()


def yaml_document(value: Any) -> str:
    """Return a document as YAML, one line for each transformation."""
    lines = []
    for name, content in value.items():
        if name == "transformations":
            lines += [f"{name}:", *(f"  - {inline_yaml(item)}" for item in content)]
        else:
            lines.append(f"{name}: {inline_yaml(content)}")
    return "\n".join(lines)


def pretty_json(value: Any) -> str:
    """Return a value as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)
