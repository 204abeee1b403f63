"""Reference pages of release differences, limits and the glossary, from their tables."""

from components.limits import LIMITS
from explorer.comparison.release_changes import switch_rows
from explorer.flink.releases import LATEST, VERSIONS
from explorer.glossary import TERMS
from reference.markdown import code, plain, table


def releases_page() -> str:
    """Return the page of the behaviours that a Flink release changed."""
    rows = (
        (row.since, plain(row.about), code(row.before), code(row.value), row.issue or "")
        for row in switch_rows()
    )
    return (
        "# Release differences\n\nEvery behaviour that decides about a graph and that a release"
        f" from {VERSIONS[0]} to {LATEST} changed."
        " `releases FILE` lists the ones that change *your* program.\n\n"
        + table(["since", "behaviour", "before", "from then on", "issue"], rows)
    )


def limits_page() -> str:
    """Return the page of all limits of documents, files, runs and pages."""
    rows = (
        (
            limit.name,
            f"{limit.most:,.10g} {limit.unit}",
            "" if limit.public is None else _public(limit.public, limit.unit),
        )
        for limit in LIMITS
    )
    return (
        "# Limits\n\nInput above a limit is refused with one message. The last column holds with"
        " `ui --public`, where it differs.\n\n"
        + table(["what", "at most", "on a public page"], rows)
    )


def _public(most: float, unit: str) -> str:
    return f"{most:,.10g} {unit}" if most else "none"


def glossary_page() -> str:
    """Return the page of Flink's terms."""
    rows = (
        (term.word, plain(term.means), ", ".join(term.also))
        for term in sorted(TERMS, key=lambda term: term.word.lower())
    )
    return "# Glossary\n\n" + table(["term", "meaning", "other forms"], rows)
