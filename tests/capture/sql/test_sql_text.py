"""A SQL script is cut into statements as Flink's SQL client cuts it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.capture import CaptureError
from explorer.capture.sql.sql_text import statements
from tests.many_cases import for_each

QUOTES = ("'", '"', "`")
PLAIN = "SELECTab01 ,.=<>()\n"


@st.composite
def pieces(draw: st.DrawFn) -> str:
    """What a statement may hold: text, quoted text with anything in it, a hint."""
    parts = st.one_of(
        st.text(PLAIN, min_size=1),
        st.sampled_from(QUOTES).flatmap(_quoted),
        st.just("/*+ OPTIONS('a'='b;c') */"),
    )
    return "x" + "".join(draw(st.lists(parts, max_size=5)))


def _quoted(quote: str) -> st.SearchStrategy[str]:
    return st.text(PLAIN + ";-/*" + "".join(QUOTES)).map(
        lambda text: quote + text.replace(quote, quote * 2) + quote
    )


COMMENTS = st.sampled_from(["-- it's; so\n", "/* 'a;\nb */", " ", "\n"])


@given(st.lists(pieces(), max_size=5), st.lists(COMMENTS, min_size=6, max_size=6))
def test_statements_are_separated_by_semicolons(texts: list[str], comments: list[str]) -> None:
    script = ";".join(comment + text for comment, text in zip(comments, [*texts, ""], strict=False))

    found = statements(script)
    assert [statement.text for statement in found] == [text.strip() for text in texts]
    lines = script.split("\n")
    for statement in found:
        assert statement.text.split("\n")[0].rstrip() in lines[statement.line - 1]


@for_each(
    ("text", "kind", "key", "value"),
    [
        ("SET 'a.b' = 'it''s'", "set", "a.b", "it's"),
        ("set a.b=c d", "set", "a.b", "c d"),
        ("SET", "set", None, ""),
        ("RESET 'a.b'", "reset", "a.b", ""),
        ("reset", "reset", None, ""),
        ("QUIT", "quit", None, ""),
        ("clear", "skip", None, ""),
        ("SETTLE a = b", "statement", None, ""),
        ("END", "end", None, ""),
    ],
)
def test_statements_that_the_client_executes_itself_are_distinguished(
    text: str, kind: str, key: str | None, value: str
) -> None:
    (found,) = statements(f"{text};")

    assert (found.kind, found.key, found.value) == (kind, key, value)


@pytest.mark.parametrize(
    "script",
    [
        "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END;",
        "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END;",
        "statement set begin\ninsert into a select 1;\ninsert into b select 2;\nend",
    ],
)
def test_a_statement_set_begins_and_ends(script: str) -> None:
    assert [one.kind for one in statements(script)] == ["begin", "statement", "statement", "end"]


def test_a_statement_set_without_an_end_is_refused() -> None:
    with pytest.raises(CaptureError, match=r"begins in line 2 has no END;"):
        statements("SET 'a' = 'b';\nBEGIN STATEMENT SET;\nINSERT INTO a SELECT 1;")
