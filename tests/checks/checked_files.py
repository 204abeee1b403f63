"""A checked file with a finding that is silenced, and one in its lock."""

from typing import Final

from explorer.checks.checking import check_document
from explorer.checks.fixes import FixTrials
from explorer.checks.lock import lock_text, make_lock
from explorer.checks.reporting import Checked, checked
from explorer.documents.loading import parse_document
from explorer.flink.compiler import compile_program
from explorer.model.pipeline import Pipeline

COUNT: Final = """\
name: counts
flink: "1.20"
transformations:
  - {id: s, type: source, uid: s}
  - {id: by, type: key_by, inputs: [s], keys: [k]}
  - {id: count, type: reduce, inputs: [by], name: count}
  - {id: out, type: sink, inputs: [count], name: "100%, a:b::c"}
check: {silenced: {MP01: fixed}}
"""


def checked_file(text: str = COUNT, *, tried: bool = False) -> Checked:
    """Check a file against a lock in which the reduce had another name."""
    document = parse_document(text, name="counts.yaml")
    assert isinstance(document, Pipeline)
    earlier = parse_document(text.replace("name: count}", "name: sum}"), name="counts.yaml")
    lock = make_lock(compile_program(earlier))
    found = check_document(document, lock=lock)
    trials = FixTrials(document, lock=lock)
    suggested = [tuple(trials.fixes(finding)) for finding in found.findings] if tried else ()
    return checked("counts.yaml", "counts.lock", text, lock_text(lock), found, suggested)
