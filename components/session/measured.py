"""The baseline, and the one verdict on replacing it by the document at hand."""

from typing import Final

import msgspec
import streamlit as st

from components.session import session
from components.session.compiled import CompileOutcome
from components.session.keys import Key
from components.session.work import Work
from explorer.comparison.baseline import (
    Baseline,
    CompiledBaseline,
    baseline_of,
    compile_baseline,
    deployed_program,
    pin_release,
)
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.releases import LATEST
from explorer.restore.verdict import RestoredOperator, RestoreVerdict, restore

OPENED: Final = "the original version"


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """The baseline and the verdict against it."""

    baseline: Baseline | None
    """None: a new pipeline has none."""
    chosen: bool = False
    """Whether it was made the baseline, and is not just the original document."""
    old: CompiledBaseline | None = None
    verdict: RestoreVerdict | None = None
    """None: there is no baseline, or one of the two does not compile."""
    error: str = ""
    """Why there is no comparison with the baseline."""

    @property
    def shown_verdict(self) -> RestoreVerdict | None:
        """The verdict where a baseline was chosen or operator IDs changed."""
        changed = self.verdict is not None and self.verdict.changed_ids
        return self.verdict if self.chosen or changed else None

    @property
    def moved(self) -> tuple[RestoredOperator, ...]:
        """Operators that have another ID than in the baseline."""
        operators = self.verdict.operators if self.verdict else ()
        return tuple(operator for operator in operators if operator.change == "moved")


def measured(now: Work, outcome: CompileOutcome) -> Measured:
    """Compare the current document with the baseline; cached while nothing changes."""
    allow = bool(st.session_state.get(Key.ALLOW, False))
    about = (
        now.document.baseline,
        now.opened,
        int(now.fresh),
        now.document,
        outcome.compilation,
        int(allow),
    )
    return session.shared(
        "measured", about, lambda *_: _measure(now, outcome.compilation, allow=allow)
    )


def _measure(work: Work, compilation: Compilation | None, *, allow: bool) -> Measured:
    chosen = work.document.baseline is not None
    try:
        baseline = session.shared(
            "baseline", (work.document.baseline,), lambda _: baseline_of(work.document)
        )
        if not chosen and not work.fresh:
            baseline = session.shared(
                "opened", (work.opened,), lambda document: Baseline(name=OPENED, document=document)
            )
        if baseline is not None and not chosen:
            baseline = session.shared("pinned", (baseline, LATEST), pin_release)
        if baseline is None:
            return Measured(baseline=None)
        version = compilation.release.version if compilation else work.document.flink or LATEST
        if compilation is not None and not chosen and work.opened is work.document:
            old = deployed_program(baseline.name, compilation, document=work.document)
        else:
            old = session.shared("deployed", (baseline, version), compile_baseline)
    except ExplorerError as error:
        return Measured(baseline=None, chosen=chosen, error=str(error))
    if compilation is None:
        return Measured(baseline=baseline, chosen=chosen, old=old)
    try:
        verdict = restore(old, work.document, compilation, allow)
    except ExplorerError as error:
        return Measured(baseline=baseline, chosen=chosen, old=old, error=str(error))
    return Measured(baseline=baseline, chosen=chosen, old=old, verdict=verdict)
