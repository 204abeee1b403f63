"""What do Flink's words mean? Each is a row of ``glossary.toml``; pages and lessons show it."""

from pathlib import Path
from typing import Final

import msgspec


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One word, and its meaning."""

    word: str
    means: str
    also: tuple[str, ...] = ()
    """Other forms in which it stands in a text; the plural with an s is known."""


_FILE: Final = Path(__file__).with_suffix(".toml")
TERMS: Final = msgspec.toml.decode(_FILE.read_bytes(), type=dict[str, tuple[Term, ...]])["term"]
"""In the order in which a class meets them."""

FORMS: Final = {
    form.lower(): term for term in TERMS for form in (term.word, f"{term.word}s", *term.also)
}
"""By every form, in lower case, its term."""
