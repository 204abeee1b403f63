"""What a plan is computed from: both sides, their compilations, and the one restore verdict."""

from collections.abc import Callable, Mapping
from functools import cached_property

from explorer.analysis.baseline import Baseline, Deployed
from explorer.analysis.redeploy import Redeployment
from explorer.analysis.restore import matched_nodes
from explorer.deployment.upgrades import Upgrade
from explorer.flink.compiler import Compilation
from explorer.model.api_use import ApiUse
from explorer.model.document import Document
from explorer.model.frozen import FrozenRecord
from explorer.model.rehearsal import Rehearsal
from explorer.model.stream_graph import NodeId


class PlanCase(FrozenRecord, frozen=True, kw_only=True, dict=True):
    """Both sides of a plan; OLD's members are None for a first deployment."""

    document: Document
    new: Compilation
    baseline: Baseline | None = None
    old: Deployed | None = None
    redeployment: Redeployment | None = None
    options: Mapping[str, object] = {}
    """Options of the new cluster that win over the document's own."""
    old_options: Mapping[str, object] = {}
    """The same for the old cluster."""
    rehearsal: Rehearsal | None = None
    """The rehearsal that the verdict on a fix considers, too."""
    api_uses: tuple[ApiUse, ...] | None = None
    """What NEW's classes use of the API that releases changed; None: its classes are not known."""
    upgrade: Upgrade | None = None
    """Of a Kubernetes resource: how the operator deploys it."""
    notes: tuple[str, ...] = ()
    """What was assumed while NEW was read, a sentence each."""
    remarks: tuple[str, ...] = ()
    """Which options were applied to which side, a sentence each."""
    capture_with: Callable[[Mapping[str, str]], Document] | None = None
    """Captures NEW with further options; None: it cannot be captured here."""

    @property
    def drops_state(self) -> bool:
        """Whether nothing of OLD's state is restored, so that no restore is judged."""
        return self.upgrade is not None and self.upgrade.drops_state

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
        """By node of OLD, the node of NEW that is the same operator."""
        if self.old is None or self.redeployment is None:
            return {}
        return matched_nodes(self.old, self.redeployment.restore.matches)
