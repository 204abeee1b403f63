"""Bugs of Flink's restores, by issue: what happens, when, and which patch level has the fix.

``tests/golden/restore_bugs.jsonl.gz`` has what the jars of every patch level since 1.16 answered.
"""

from typing import Final, Literal

from explorer.flink.releases import VERSIONS, release, spans
from explorer.model.frozen import FrozenRecord
from explorer.wording import listed

Level = Literal["affected", "fixed", "unknown"]
"""Whether a version has a bug; unknown: that depends on the patch level."""
NEWEST: Final = "2.3.0"
"""The newest version of which the jars were asked."""


class RestoreBug(FrozenRecord, frozen=True, kw_only=True):
    """A bug of restores."""

    issue: str
    happens: str
    """What happens, in a clause."""
    when: str
    """When that happens, in a clause."""
    first_release: str = VERSIONS[0]
    """The first affected release."""
    fixed: tuple[str, ...] = ()
    """The first version of each release that has the fix, oldest first, as the jars answered."""
    reported: tuple[str, ...] = ()
    """Releases of which a patch level has the fix by Flink's issue alone."""
    asked: str = ""
    """What was asked, as ``the jars``; empty: the bug is known by Flink's issue alone."""
    software: Literal["Flink", "the Kubernetes operator"] = "Flink"

    def level(self, version: str) -> Level:
        """Whether a version has the bug; ``version``: a release (1.20) or a patch level of it."""
        short = release(version).version
        if self.software != "Flink" or _position(short) < VERSIONS.index(self.first_release):
            return "fixed"
        if short in self.reported:
            return "unknown"
        fix = self.fix_in(short)
        if fix is None:
            newest = max(map(_position, (*self.fixed, *self.reported)), default=len(VERSIONS))
            return "fixed" if _position(short) > newest else "affected"
        if _patch(fix) == 0:
            return "fixed"
        if version == short:
            return "unknown"
        return "fixed" if _patch(version) >= _patch(fix) else "affected"

    def fix_in(self, version: str) -> str | None:
        """The first patch level of that release with the fix; None: no asked one has it."""
        short = release(version).version
        return next((level for level in self.fixed if release(level).version == short), None)

    @property
    def origin(self) -> str:
        """Where the bug and its fix are known from."""
        return f"asked of {self.asked}" if self.asked else "by Flink's issue"

    def sentence(self, version: str) -> str:
        """Describe the bug, when it strikes and which patch level has the fix, for a version."""
        return f"{self.issue}: {self.happens} {self.when}. {self._fix(version)} ({self.origin})."

    def _fix(self, version: str) -> str:
        short, fix = release(version).version, self.fix_in(version)
        if short in self.reported:
            return f"A patch level of Flink {short} has the fix"
        if fix is not None and version == short:
            return f"Flink {fix} has the fix, and {short} was named without its patch level"
        if fix is not None:
            return f"Flink {version} has the bug, {fix} has the fix"
        later = [level for level in self.fixed if _position(level) > _position(version)]
        if later:
            return f"No patch level of Flink {short} has the fix, {later[0]} has it"
        return _NOT_FIXED

    def between(self, first: str, last: str) -> str:
        """Describe the bug, and whether two versions have it."""
        levels = {compared: _LEVELS[self.level(compared)] for compared in (first, last)}
        levels_text = "; ".join(f"Flink {compared} {has}" for compared, has in levels.items())
        versions = f"{levels_text}. {self._fixes}" if self.software == "Flink" else self._fixes
        return f"{self.issue}: {self.happens} {self.when}. {versions} ({self.origin})."

    @property
    def _fixes(self) -> str:
        if self.software != "Flink":
            return f"A bug of {self.software}"
        if self.reported:
            return f"Patch levels of Flink {spans(self.reported)} have the fix"
        return f"Fixed in {listed(self.fixed)}" if self.fixed else _NOT_FIXED


_NOT_FIXED: Final = f"No version up to {NEWEST} has the fix"
_LEVELS: Final = {"affected": "has it", "fixed": "does not have it", "unknown": "may have it"}


def _patch(version: str) -> int:
    """The patch level: 3 of 1.20.3; 0 of a release."""
    return int((*version.split("."), "0")[2])


def _position(version: str) -> int:
    return VERSIONS.index(release(version).version)


_JARS: Final = "the jars"
_UNALIGNED: Final = "1.12"
"""The release in which unaligned checkpoints can be rescaled."""
RESTORE_BUGS: Final = (
    RestoreBug(
        issue="FLINK-31963",
        happens="the restore fails with ArrayIndexOutOfBoundsException",
        when="where a job scales down from an unaligned checkpoint",
        first_release=_UNALIGNED,
        fixed=("1.16.2", "1.17.1", "1.18.0"),
        asked=_JARS,
    ),
    RestoreBug(
        issue="FLINK-35351",
        happens="records in flight go to wrong subtasks, or the restore fails",
        when="where an unaligned checkpoint with a custom partitioner is rescaled",
        first_release=_UNALIGNED,
        fixed=("1.19.1", "1.20.0"),
        asked=_JARS,
    ),
    RestoreBug(
        issue="FLINK-35661",
        happens="records of other keys are dropped without an error",
        when="where a mini-batch aggregate gets only retractions of a key without state, as after "
        "a restore without its state",
        fixed=("2.1.3", "2.3.0"),
        asked=_JARS,
    ),
    RestoreBug(
        issue="FLINK-38267",
        happens="the restore fails with 'Cannot rescale the given pointwise partitioner'",
        when="where an unaligned checkpoint is rescaled and a task has a FORWARD or RESCALE edge "
        "in addition to the edge with records in flight",
        first_release=_UNALIGNED,
        fixed=("1.20.3", "2.0.1", "2.1.1", "2.2.0"),
        asked=_JARS,
    ),
    RestoreBug(
        issue="FLINK-38483",
        happens="the restore fails with an exception",
        when="where an unaligned checkpoint is rescaled",
        first_release="2.1",
        reported=("2.1", "2.2"),
    ),
    RestoreBug(
        issue="FLINK-39513",
        happens="allowNonRestoredState is ignored ('There is no operator for the state')",
        when="where a job restores from the metadata of high availability, as with upgradeMode "
        "last-state",
        asked=_JARS,
    ),
    RestoreBug(
        issue="FLINK-39964",
        happens="the job takes checkpoints that cannot be restored",
        when="after it claimed a native savepoint of incremental RocksDB (claim mode CLAIM)",
        first_release="1.15",
    ),
    RestoreBug(
        issue="FLINK-40113",
        happens="keys lose their state without an error",
        when="where operators of a chain record different maximum parallelisms and the job is "
        "rescaled",
        asked="real clusters of 1.20.5, 2.2.1 and 2.3.0",
    ),
    RestoreBug(
        issue="FLINK-40269",
        happens="records in flight go to the wrong one of two edges",
        when="where an unaligned checkpoint is rescaled and two edges join the same two tasks",
        first_release=_UNALIGNED,
    ),
    RestoreBug(
        issue="FLINK-38049",
        happens="a stateless upgrade restores from high availability all the same",
        when="where upgradeMode is stateless and high availability is on",
        software="the Kubernetes operator",
    ),
    RestoreBug(
        issue="FLINK-39270",
        happens="state is lost",
        when="where the job manager is slow during an upgrade",
        software="the Kubernetes operator",
    ),
)
"""In the order of their issues, those of the Kubernetes operator last."""
BUGS_BY_ISSUE: Final = {bug.issue: bug for bug in RESTORE_BUGS}


def bug_sentences(first: str, last: str, *, only_affected: bool = False) -> list[str]:
    """Describe each bug for two versions; ``only_affected``: those that one of them may have."""
    return [
        bug.between(first, last)
        for bug in RESTORE_BUGS
        if not only_affected or {bug.level(first), bug.level(last)} != {"fixed"}
    ]
