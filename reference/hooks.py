"""MkDocs hook: generated reference pages, and the repository's address in the guides."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

from explorer.checks.table import CHECKS
from reference.commands import commands_page
from reference.json_formats import formats_page
from reference.pipeline_document import pipeline_page
from reference.python_interface import python_page
from reference.rules import Scripts, chaining_page, check_index, check_page
from reference.tables import glossary_page, limits_page, releases_page
from reference.vocabulary import vocabulary_page
from tests.checks.pairs import LINE, PAIRS, Pair, changed
from tests.checks.sql_pairs import SQL_PAIRS

PAGES: Final[Mapping[str, tuple[str, Callable[[], str]]]] = {
    "reference/vocabulary.md": ("Same question, same name", vocabulary_page),
    "reference/commands.md": ("Commands and options", commands_page),
    "reference/pipeline-document.md": ("Pipeline document", pipeline_page),
    "reference/chaining-rules.md": ("Chaining rules", chaining_page),
    "reference/releases.md": ("Release differences", releases_page),
    "reference/limits.md": ("Limits", limits_page),
    "reference/glossary.md": ("Glossary", glossary_page),
    "reference/python.md": ("Python interface", python_page),
    "reference/json-formats.md": ("JSON formats", formats_page),
}
"""By path in the site, a page's title and its generator."""


EXAMPLES: Final[Mapping[str, Pair | Scripts]] = {
    **PAIRS,
    **{code: Scripts(*pair.scripts) for code, pair in SQL_PAIRS.items()},
    "DC01": Pair(
        bad=changed(LINE, "m", parallelismus=2),
        good=changed(LINE, "m", parallelism=2),
        says="",
        path="transformations[1]",
    ),
}
"""By code of a rule, documents or scripts: a bad one and a good one."""


def pages() -> dict[str, str]:
    """Return the Markdown of all reference pages, by path in the site."""
    rules = {
        f"reference/checks/{rule.code}.md": check_page(rule, EXAMPLES[rule.code]) for rule in CHECKS
    }
    made = {path: page() for path, (_, page) in PAGES.items()}
    return {**made, "reference/checks/index.md": check_index(), **rules}


def on_config(config: Any) -> Any:
    """Append the reference section to the navigation."""
    checks = ["reference/checks/index.md", *(f"reference/checks/{rule.code}.md" for rule in CHECKS)]
    section: list[Any] = [{title: path} for path, (title, _) in PAGES.items()]
    section.insert(2, {"Check rules": checks})
    config.nav.append({"Reference": section})
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the repository's name where a guide has OWNER/REPOSITORY."""
    return markdown.replace("OWNER/REPOSITORY", repository())


def repository() -> str:
    """Return the owner and the name of this repository."""
    project = Path(__file__).resolve().parents[1] / "pyproject.toml"
    settings = tomllib.loads(project.read_text(encoding="utf-8"))["tool"]["hatch"]
    return str(settings["metadata"]["hooks"]["custom"]["repository"])


def on_files(files: Files, config: Any) -> Files:
    """Add the reference pages to the site's files."""
    for path, content in pages().items():
        files.append(File.generated(config, path, content=content))
    return files
