"""The edge limit: a caller lowers it for every compilation within."""

from contextvars import copy_context

import pytest

from explorer import compile_graph
from explorer.errors import TooLargeError
from explorer.flink.edge_limit import MOST_EDGES, edge_limit, edges_limited
from tests.comparison.small_jobs import COUNT, program


def test_a_limit_holds_within_its_block_alone() -> None:
    with edges_limited(3):
        assert edge_limit() == 3
        with edges_limited(2):
            assert edge_limit() == 2
        assert edge_limit() == 3
    assert edge_limit() == MOST_EDGES


def test_a_higher_limit_than_holds_changes_nothing() -> None:
    with edges_limited(3), edges_limited(10):
        assert edge_limit() == 3


def test_an_error_within_restores_the_limit() -> None:
    def fail() -> None:
        with edges_limited(3):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert edge_limit() == MOST_EDGES


def test_another_context_has_its_own_limit() -> None:
    outside = copy_context()
    with edges_limited(3):
        assert outside.run(edge_limit) == MOST_EDGES


def test_a_compilation_reads_the_limit_of_its_caller() -> None:
    with edges_limited(3):
        assert len(compile_graph(program(COUNT)).stream_graph.edges) == 3
    with edges_limited(2), pytest.raises(TooLargeError, match="more than 2 edges"):
        compile_graph(program(COUNT))
