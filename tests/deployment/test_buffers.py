"""Network buffers: what every release's own classes answer to random sizes and options."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.deployment.buffers import gate_buffers, partition_pool
from explorer.deployment.network_options import NetworkOptions, network_options
from explorer.errors import ExplorerError
from explorer.flink.releases import VERSIONS, release
from tests.capture.flinks import VERSIONS as CACHED
from tests.deployment.ask_network import asked
from tests.golden_files import cases
from tests.many_cases import for_each


def answer(case: dict[str, Any]) -> str:
    """Our answer in the words of the program that asked Flink."""
    version = release(case["version"])
    try:
        options = network_options(case["options"], case["network"], version)
    except ExplorerError as error:
        return f"error {error}"
    words = [_facts(options, sorts=bool(version.sort_shuffle_buffers))]
    for kind, size in case.get("partitions", ()):
        pool = partition_pool(kind, size, options, version)
        words.append(f"{pool.required}-{pool.most}")
    for kind, size in case.get("gates", ()):
        exclusive, pool = gate_buffers(kind, size, options, version)
        words.append(f"{exclusive}+{pool.required}-{pool.most}")
    return " ".join(words)


def _facts(options: NetworkOptions, *, sorts: bool) -> str:
    sort = (options.sort_buffers, options.sort_from) if sorts else ("null", "null")
    facts = (options.buffers, options.buffer_size, options.per_channel, options.floating, *sort)
    return "/".join(map(str, facts))


@for_each("version", VERSIONS)
def test_buffers_are_those_of_flinks_own_classes(version: str) -> None:
    every = [case for case in cases("network") if case["version"] == version]
    wrong = [(case, answer(case)) for case in every if answer(case) != case["answer"]]

    assert len(every) > 40
    assert wrong == []


@pytest.mark.flink
def test_the_golden_answers_are_those_of_the_jars(tmp_path: Path) -> None:
    """One release is asked again, of such files each another; one program asked them all."""
    version = CACHED[0]
    kept = [case for case in cases("network") if version.startswith(f"{case['version']}.")]

    assert asked(version, tmp_path, 40) == kept


@given(
    st.sampled_from(VERSIONS),
    st.sampled_from(("BLOCKING", "PIPELINED", "PIPELINED_BOUNDED")),
    st.integers(1, 40_000),
)
def test_a_pool_may_use_what_it_requires(version: str, kind: str, size: int) -> None:
    options = network_options({}, 1 << 30, release(version))

    pool = partition_pool(kind, size, options, release(version))
    exclusive, floating = gate_buffers(kind, size, options, release(version))

    assert 0 <= pool.required <= pool.most
    assert exclusive >= 0
    assert 0 <= floating.required <= floating.most
