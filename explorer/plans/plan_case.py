"""Input of a plan: the caller's options, both sides, their compilations and the restore verdict."""

from collections.abc import Callable, Mapping
from functools import cached_property

from explorer.comparison.baseline import Baseline, CompiledBaseline
from explorer.deployment.upgrades import Upgrade
from explorer.flink.compiler import Compilation
from explorer.model.api_use import ApiUse
from explorer.model.document import Document
from explorer.model.frozen import FrozenRecord
from explorer.model.rehearsal import Rehearsal
from explorer.model.stream_graph import NodeId
from explorer.restore.verdict import RestoreVerdict


class PlanRequest(FrozenRecord, frozen=True, kw_only=True):
    """Options of a plan, in addition to NEW and OLD."""

    flink_version: str | None = None
    """NEW's release; None: the document's own, else the newest."""
    allow_non_restored: bool = False
    matches: Mapping[str, str] = {}
    """Map operators of OLD to operators of NEW; see ``chosen_matches``."""
    options: Mapping[str, object] = {}
    """Options of the new cluster that win over NEW's own."""
    old_options: Mapping[str, object] | None = None
    """The same for OLD; None: those of the new cluster."""
    has_configuration_file: bool = False
    """Whether NEW's options are those of a whole configuration file."""
    rehearsal: Rehearsal | None = None
    """A rehearsal of the same savepoint and program."""
    read_from: str = ""
    """The source of NEW, such as a path; default: the document's name."""
    upgrade: Upgrade | None = None
    """The upgrade by the Kubernetes operator; None for a program outside Kubernetes."""
    api_uses: tuple[ApiUse, ...] | None = None
    """Uses in NEW's classes of API that a release changed; None: the classes are not known."""
    notes: tuple[str, ...] = ()
    """Assumptions made while NEW was read, a sentence each; each becomes a warning."""
    remarks: tuple[str, ...] = ()
    """Which options were applied to which side, a sentence each."""
    autoscale: bool = False
    """Whether the choice of the Kubernetes operator's autoscaler is computed."""
    capture_with: Callable[[Mapping[str, str]], Document] | None = None
    """Captures NEW with further options, to try what findings propose; None: not possible."""


class PlanCase(FrozenRecord, frozen=True, kw_only=True, dict=True):
    """Both sides of a plan; OLD's members are None for a first deployment."""

    document: Document
    new: Compilation
    request: PlanRequest = PlanRequest()
    baseline: Baseline | None = None
    old: CompiledBaseline | None = None
    restore: RestoreVerdict | None = None

    @property
    def drops_state(self) -> bool:
        """Whether nothing of OLD's state is restored, so that no restore is judged."""
        return self.request.upgrade is not None and self.request.upgrade.drops_state

    @property
    def ignores_allowance(self) -> bool:
        """Whether NEW restores from the metadata of high availability.

        ``CheckpointCoordinator.restoreInitialCheckpointIfPresent`` passes false for
        ``allowNonRestoredState`` in all releases up to 2.3 (FLINK-39513).
        """
        upgrade = self.request.upgrade
        return upgrade is not None and upgrade.origin == "high availability"

    @property
    def old_options(self) -> Mapping[str, object]:
        """Options of the old cluster that win over OLD's own."""
        options = self.request.old_options
        return self.request.options if options is None else options

    @property
    def old_program(self) -> Compilation | None:
        """OLD's compilation; None where a savepoint alone is known."""
        return self.old.program if self.old else None

    @property
    def old_document(self) -> Document | None:
        """OLD's document; None where a savepoint alone is known."""
        return self.baseline.document if self.baseline else None

    @cached_property
    def matched(self) -> dict[NodeId, NodeId]:
        """Map each node of OLD to the node of NEW that is the same operator."""
        if self.old is None or self.restore is None:
            return {}
        return self.old.matched_nodes(self.restore.matches)
