"""Names say what a value is: few are pronouns or participles, which a reader has to decode."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.python_sources import SAME_WORKER, syntax_nodes

pytestmark = SAME_WORKER
ROOT: Final = Path(__file__).resolve().parents[1]
LIMIT: Final = 0.03
"""Share of the bound names of one package."""
VAGUE: Final = frozenset(
    re.findall(
        r"\w+",
        """
    one ones found done given made known now each it its this that those these other others
    rest all any some what which who how where when then there here such same own asked said
    told kept taken seen heard shown drawn held wanted needed used about after before since
    thing things something nothing more most least both many few
    """,
    )
)


def bound_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Parameters and assigned names among the nodes of a module."""
    for node in nodes:
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def shares() -> dict[str, float]:
    """Of each package: the share of its bound names that are vague."""
    names, vague = Counter[str](), Counter[str]()
    for root in ("explorer", "components"):
        for path in (ROOT / root).rglob("*.py"):
            parts = path.relative_to(ROOT).parts
            package = "/".join(parts[:2]) if root == "explorer" and len(parts) > 2 else root
            for name in bound_names(syntax_nodes(path)):
                if name not in {"self", "cls"}:
                    names[package] += 1
                    vague[package] += name.strip("_") in VAGUE
    return {package: vague[package] / names[package] for package in names}


@pytest.mark.slow
def test_few_names_of_a_package_are_pronouns_or_participles() -> None:
    assert {package: share for package, share in shares().items() if share > LIMIT} == {}


def test_a_pronoun_is_counted() -> None:
    tree = ast.parse("def total(found):\n    one = found\n    return one")
    names = list(bound_names(ast.walk(tree)))

    assert names == ["found", "one"]
    assert set(names) <= VAGUE
