"""The generated reference pages: nothing of the code's tables is missing in them."""

from functools import cache

import msgspec
import pytest

import explorer
from components.limits import LIMITS
from explorer.checks.table import CHECKS
from explorer.cli.command_table import COMMANDS
from explorer.flink.rules import RULES
from explorer.glossary import TERMS
from explorer.model.pipeline import Pipeline
from reference import hooks
from reference.hooks import PAGES
from reference.json_formats import FORMATS, formats_page, inferred, printed, schemas
from reference.markdown import table
from reference.pipeline_document import examples, pipeline_page, records


@cache
def pages() -> dict[str, str]:
    """The generated pages, made by the first test that reads them: others only collect this."""
    return hooks.pages()


@pytest.mark.slow
def test_every_check_rule_has_a_page_with_an_example_and_its_fix() -> None:
    for rule in CHECKS:
        page = pages()[f"reference/checks/{rule.code}.md"]
        assert rule.title in page
        assert rule.why in page
        assert "## Bad example" in page
        assert f"[{rule.code}]({rule.code}.md)" in pages()["reference/checks/index.md"]


@pytest.mark.slow
def test_every_command_and_public_name_has_a_section() -> None:
    assert all(f"\n## {name}\n" in pages()["reference/commands.md"] for name in COMMANDS)
    assert all(f"\n## {name}\n" in pages()["reference/python.md"] for name in explorer.__all__)


@pytest.mark.slow
def test_every_chaining_rule_and_term_is_listed() -> None:
    assert all(rule.code in pages()["reference/chaining-rules.md"] for rule in RULES)
    assert all(term.word in pages()["reference/glossary.md"] for term in TERMS)


@pytest.mark.slow
def test_every_limit_is_listed_with_its_number() -> None:
    for limit in LIMITS:
        row = f"| {limit.name} | {limit.most:,.10g} {limit.unit} |"
        assert row in pages()["reference/limits.md"]


@pytest.mark.slow
def test_every_field_of_a_pipeline_document_has_an_example() -> None:
    page = pipeline_page()
    assert records()[0] is Pipeline
    for record in records():
        for field in msgspec.structs.fields(record):
            assert (record, field.encode_name) in examples(), (record, field.encode_name)
            assert f"`{field.encode_name}`" in page


@pytest.mark.slow
def test_a_schema_accepts_what_its_command_prints_and_nothing_else() -> None:
    from jsonschema import Draft202012Validator  # not while collecting

    assert {*schemas()} == {*FORMATS}
    for command, calls in FORMATS.items():
        schema = schemas()[command]
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(printed(calls[0]))
        assert not Draft202012Validator(schema).is_valid([]) or schema["type"] == "array"
        assert f"## {command}\n" in formats_page()


def test_a_member_that_not_every_value_has_is_optional() -> None:
    schema = inferred([{"a": 1, "b": 1.5}, {"a": None}])

    assert schema["required"] == ["a"]
    assert schema["properties"]["a"] == {"type": ["integer", "null"]}


def test_a_cell_is_one_line_without_a_bar() -> None:
    assert table(["a"], [["x |\ny"]]).splitlines()[-1] == "| x \\| y |"


@pytest.mark.slow
def test_the_navigation_has_every_page() -> None:
    assert {*PAGES} < {*pages()}
