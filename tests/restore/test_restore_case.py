"""One restore as its rules read it: the formats and backends of both sides."""

from typing import Any

from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.restore.restore_case import RestoreCase
from explorer.restore.verdict import restore
from explorer.savepoints import flink_verdict
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program


def case(origin: Any, **options: str) -> RestoreCase:
    """The count restored from itself; ``options``: those of the old cluster."""
    document = load_document(program(COUNT))
    configuration = {key.replace("_", "."): value for key, value in options.items()}
    baseline = Baseline(name="v1", document=document, origin=origin, configuration=configuration)
    old, new = compile_baseline(baseline), compile_program(document)
    verdict = restore(old, document, new)
    return RestoreCase(
        old=old,
        document=document,
        new=new,
        operators=verdict.operators,
        options={"state.backend.type": "rocksdb"},
        verdict=flink_verdict(old.savepoint, new),
        unchanged=verdict.unchanged,
    )


@for_each(
    ("origin", "options", "formats"),
    [
        ("savepoint", {"state_backend_type": "rocksdb"}, set()),
        ("checkpoint", {"state_backend_type": "rocksdb"}, {"incremental"}),
        ("high availability", {"state_backend": "filesystem"}, {"native"}),
        ("checkpoint", {"state_changelog_enabled": "true"}, {"changelog"}),
        ("checkpoint", {}, set()),
    ],
)
def test_a_checkpoint_has_the_format_of_the_backend_that_wrote_it(
    origin: str, options: dict[str, str], formats: set[str]
) -> None:
    assert case(origin, **options).layouts == formats


def test_each_side_names_its_own_backend() -> None:
    both = case("checkpoint", state_backend_type="hashmap")

    assert (both.old_backend, both.backend) == ("hashmap", "rocksdb")
    assert both.in_flight == []
    assert both.rescaled == []
