"""Mutations of Python code: one comparison, constant or branch of a module is another."""

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

SWAPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Mutation(NamedTuple):
    """One expression of a module and what it becomes; lines count from 1, columns are bytes."""

    line: int
    column: int
    end_line: int
    end_column: int
    before: str
    after: str

    def applied_to(self, source: str) -> str:
        """Return the module's text with the mutation."""
        lines = source.encode().splitlines(keepends=True)
        start = sum(map(len, lines[: self.line - 1])) + self.column
        end = sum(map(len, lines[: self.end_line - 1])) + self.end_column
        text = b"".join(lines)
        return (text[:start] + f"({self.after})".encode() + text[end:]).decode()


def mutations(source: str) -> Iterator[Mutation]:
    """Yield every mutation of a module's text, in the order of its nodes.

    Annotations, texts and options of classes stay: they are no branches.
    """
    for node, mutant in _pairs(ast.parse(source)):
        yield Mutation(
            node.lineno,
            node.col_offset,
            node.end_lineno or node.lineno,
            node.end_col_offset or 0,
            ast.unparse(node),
            ast.unparse(mutant),
        )


def _pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each expression within a node that has a mutant, with the mutant."""
    if isinstance(node, ast.expr):
        yield from ((node, mutant) for mutant in _mutants(node))
    test = getattr(node, "test", None)
    if isinstance(test, ast.Name | ast.Attribute | ast.Call):
        yield test, ast.UnaryOp(ast.Not(), test)
    for name, value in ast.iter_fields(node):
        if name not in {"annotation", "returns", "keywords" * isinstance(node, ast.ClassDef)}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(
                    child, ast.pattern | ast.JoinedStr
                ):
                    yield from _pairs(child)


def _mutants(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPPED:
            yield ast.Compare(node.left, [SWAPPED[type(operator)]()], node.comparators)
        case ast.BoolOp(op=ast.And()):
            yield ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp(op=ast.Or()):
            yield ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case _:
            pass
