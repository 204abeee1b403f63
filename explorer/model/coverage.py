"""What a restore verdict covers: the aspects that Flink checks, and verdicts on single states.

``explorer.restore.declared_states`` and ``serializer_verdicts`` make the ``StateVerdict`` records;
``explorer.restore.coverage`` derives from them which aspects count as checked.
"""

from typing import Final, Literal, get_args

import msgspec

Aspect = Literal[
    "IDs",
    "parallelism and maximum parallelism",
    "key types",
    "state types",
    "release",
    "user code",
]
ASPECTS: Final[tuple[Aspect, ...]] = get_args(Aspect)
"""All aspects, in the order in which every output lists them."""

TypeAspect = Literal["key types", "state types"]
"""The aspects on which a ``StateVerdict`` decides."""
Compatibility = Literal["compatible", "migrated", "incompatible", "unknown"]
"""Of a serializer: compatible as is; after migration; refused by Flink; not decidable."""
Weight = Literal["refused", "lost", "unchecked", "note"]
"""Flink fails; it starts and loses state or records; whether it fails is unknown; the verdict does
not change."""


class StateVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Flink's verdict on one serializer of one operator: a state's value, or the key.

    An operator with a key or state that cannot be judged in full has a verdict ``unknown`` that
    names what is missing: an aspect without an ``unknown`` verdict counts as checked.
    """

    aspect: TypeAspect
    state: str
    """The state's name as registered, such as ``count``; empty for the key of all states."""
    kind: str
    """``key``, or the kind of state: ``value``, ``list``, ``map``, ``reducing``, ``aggregating``,
    ``timers``, ``operator list``, ``operator union list``, ``broadcast`` ..."""
    verdict: Compatibility
    before: str | None = None
    """The type or serializer in the savepoint or the old program; None: unknown."""
    after: str | None = None
    """The type or serializer that the new program declares; None: unknown."""
    sentence: str
    """The reason in words; for ``incompatible`` the sentence of the exception that Flink throws."""
    rule: str | None = None
    """Flink's rule that decides, in words; None: no rule was applied."""
    exception: str | None = None
    """For ``incompatible``: the class that Flink throws, such as StateMigrationException."""


class AspectCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a verdict covers one aspect, and what that rests on."""

    aspect: Aspect
    checked: bool
    because: str
    """What was compared; or what is missing and who can check it."""
