"""Advice on an option by its name and value: unknown, renamed, or with a value of another type.

Flink ignores a key that nothing reads, and throws for a value of another type once it reads it.
Connectors, plugins and programs read keys of their own, so an unknown key is never an error.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import islice
from typing import Final, Literal, TypeAlias

from explorer.flink.declared_options import (
    declared_options,
    deprecated_keys,
    read_keys,
    versions_that_read,
)
from explorer.flink.option_types import describe_values, is_readable
from explorer.flink.option_values import unreadable
from explorer.flink.releases import Release, spans
from explorer.model.frozen import FrozenRecord
from explorer.wording import quoted, spelled

AdviceKind: TypeAlias = Literal[
    "unknown", "misspelled", "other release", "deprecated", "unreadable"
]

_FREE: Final = (
    # The Kubernetes operator's own, and those that it passes on.
    *(
        "kubernetes.operator.",
        "job.autoscaler.",
        "kubernetes.jobmanager.",
        "kubernetes.taskmanager.",
    ),
    # Names of reporters, resources, variables, modules: chosen by the user.
    *(
        "metrics.",
        "traces.reporter.",
        "events.reporter.",
        "external-resource.",
        "env.",
        "security.",
    ),
    *("containerized.", "yarn.", "classloader.", "plugin.", "pipeline.global-job-parameters."),
    # File systems, and what is passed on to Hadoop, Kerberos, ZooKeeper or the transport.
    *("s3.", "s3a.", "fs.", "gs.", "oss.", "presto.", "hive.", "azure.", "flink.", "hadoop."),
    *("zookeeper.", "akka.", "pekko.", "jaas.", "java.", "user."),
    # The SQL client and gateway, which are not among the jars that declare options here.
    *("sql-client.", "sql-gateway.", "table.catalog-store."),
    *("$internal.", "internal.", "__"),
)
"""Prefixes of keys that something else than Flink's declared options may read."""
_ALIKE: Final = 0.82
"""Similarity (difflib's ratio) from which a name counts as a misspelling of an option."""
_FREE_ALIKE: Final = 0.93
"""The same for a key that something else may read."""
_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")
_NAME: Final = 200
"""Letters of a name that are compared."""
_HIDDEN: Final = "******"
"""What stands for a password in a captured program."""
MOST_ADVICE: Final = 50
"""Options of a configuration on which advice is given: names are compared with all of Flink's."""


class OptionAdvice(FrozenRecord, frozen=True, kw_only=True):
    """What is wrong with one option."""

    key: str
    kind: AdviceKind
    sentence: str
    replacement: str | None = None
    """The key to write instead."""


def advise_on_options(options: Mapping[str, object], release: Release) -> tuple[OptionAdvice, ...]:
    """Advice on the options of a configuration, in its order; at most ``MOST_ADVICE``."""
    advice = (advise(key, value, release) for key, value in options.items())
    return tuple(
        islice(
            (option_advice for option_advice in advice if option_advice is not None), MOST_ADVICE
        )
    )


def advise(key: str, value: object, release: Release) -> OptionAdvice | None:
    """The advice on an option that is set; None: Flink reads it as it is, or may not know it."""
    if key not in read_keys(release.version):
        return _advise_on_unknown(key, release)
    replacement = deprecated_keys(release.version).get(key)
    unread = _advise_on_value(key, replacement or key, spelled(value), release)
    if unread is not None or replacement is None:
        return unread
    return OptionAdvice(
        key=key,
        kind="deprecated",
        sentence=f"The option {quoted(key)} is called {quoted(replacement)} in Flink "
        f"{release.version}; the old name is read, too.",
        replacement=replacement,
    )


def _advise_on_value(key: str, read_as: str, text: str, release: Release) -> OptionAdvice | None:
    option = declared_options(release.version).get(read_as)
    if option is None or text == _HIDDEN or not release.reads_options:
        return None
    if is_readable(option, text.strip(), release):
        return None
    return OptionAdvice(
        key=key,
        kind="unreadable",
        sentence=f"{unreadable(read_as, text)} Flink throws this IllegalArgumentException when it "
        f"reads the option; its value is {describe_values(option)}.",
    )


def _advise_on_unknown(key: str, release: Release) -> OptionAdvice | None:
    version = release.version
    if others := versions_that_read(key):
        successor = replacement_of(key, version)
        return OptionAdvice(
            key=key,
            kind="other release",
            sentence=f"Flink {version} has no option {quoted(key)} (Flink {spans(others)} has it): "
            f"it has no effect{f'; write {quoted(successor)}' if successor else ''}.",
            replacement=successor,
        )
    if _is_in_map(key, version):
        return None
    near = nearest_key(key, version)
    if near is not None:
        newer = deprecated_keys(version).get(near)
        suggestion = f"{quoted(near)} (now {quoted(newer)})" if newer else quoted(near)
        return OptionAdvice(
            key=key,
            kind="misspelled",
            sentence=f"Flink {version} has no option {quoted(key)}; did you mean {suggestion}?",
            replacement=newer or near,
        )
    if key.startswith(_FREE) or f"{key.partition('.')[0]}." not in _namespaces(version):
        return None
    return OptionAdvice(
        key=key,
        kind="unknown",
        sentence=f"Flink {version} has no option {quoted(key)}: it has no effect unless a plugin "
        "or the program itself reads it.",
    )


def replacement_of(key: str, version: str) -> str | None:
    """The option of the release that replaced a key, or a newer key's name there; else None."""
    readable = read_keys(version)
    for other_version in versions_that_read(key):
        named = deprecated_keys(other_version).get(key)
        if named in readable:
            return named
        option = declared_options(other_version).get(key)
        former = (
            next((old for old in option.deprecated if old in readable), None) if option else None
        )
        if former is not None:
            return former
    return None


def _is_in_map(key: str, version: str) -> bool:
    """Whether a key is one of an option with pairs as values: ``KEY.NAME: VALUE``."""
    options = declared_options(version)
    prefixes = (key[:turn] for turn, letter in enumerate(key) if letter == ".")
    return any(prefix in options and options[prefix].type == "Map" for prefix in prefixes)


@cache
def _namespaces(version: str) -> frozenset[str]:
    """The first parts of Flink's own keys, with the dot."""
    return frozenset(f"{key.partition('.')[0]}." for key in declared_options(version) if "." in key)


def nearest_key(key: str, version: str) -> str | None:
    """The key that a misspelled one is most likely to mean; None: none is alike.

    >>> nearest_key("taskmanager.numberOfTaskSlot", "1.20"), nearest_key("my.own.key", "1.20")
    ('taskmanager.numberOfTaskSlots', None)
    """
    return _nearest_key(key[:_NAME], version)


@lru_cache(maxsize=1000)
def _nearest_key(key: str, version: str) -> str | None:
    """The same of at most ``_NAME`` letters: each edit of a document asks for its options anew."""
    minimum = _FREE_ALIKE if key.startswith(_FREE) else _ALIKE
    matcher = SequenceMatcher(autojunk=False, b=_plain(key))
    # Of equally good names the first by the alphabet.
    names = sorted(read_keys(version))
    ratios = ((ratio, name) for name in names for ratio in _ratios(matcher, name, minimum))
    best, nearest = max(ratios, key=lambda pair: pair[0], default=(0.0, None))
    return nearest if best >= _FREE_ALIKE else _key_with_all_words(key, names) or nearest


def _key_with_all_words(key: str, names: Sequence[str]) -> str | None:
    """The only key with its words, in another order, or else with the fewest further words.

    As ``backend.state`` and ``taskmanager.slots`` have those of one key. None: there are several.
    """
    words = _words(key)
    longer = [name for name in names if words <= _words(name)] if len(words) > 1 else []
    minimum = min((len(_words(name)) for name in longer), default=0)
    shortest = [name for name in longer if len(_words(name)) == minimum]
    return shortest[0] if len(shortest) == 1 else None


@cache
def _words(name: str) -> frozenset[str]:
    """The words of a name, parted by dots, hyphens and capitals, in lower case."""
    return frozenset(word.lower() for word in _WORD.findall(name[:_NAME]))


def _ratios(matcher: SequenceMatcher[str], name: str, minimum: float) -> Iterator[float]:
    """The similarity of a name, if it is at least ``minimum``; cheap bounds are looked at first."""
    matcher.set_seq1(_plain(name))
    if matcher.real_quick_ratio() >= minimum and matcher.quick_ratio() >= minimum:
        ratio = matcher.ratio()
        if ratio >= minimum:
            yield ratio


def _plain(name: str) -> str:
    """A name without what is often mistaken: case, and which mark parts its words."""
    return "".join(filter(str.isalnum, name)).lower()
