"""Clusters that the page may ask."""

import pytest

from explorer.rest.addresses import ClusterError
from explorer.rest.named import VARIABLE, named_cluster, named_clusters, written


def test_a_cluster_is_named_and_a_job_is_not() -> None:
    assert str(named_cluster("localhost:8081")) == "http://localhost:8081"
    with pytest.raises(ClusterError, match=r"is one job: name its cluster, http://a:1$"):
        named_cluster(f"http://a:1/jobs/{'a' * 32}")


def test_clusters_have_the_given_order_and_no_duplicates() -> None:
    found = named_clusters({VARIABLE: "http://b:1  http://a:1 b:1"})

    assert [str(one) for one in found] == ["http://b:1", "http://a:1"]


def test_written_clusters_are_read_again() -> None:
    clusters = tuple(map(named_cluster, ("http://a:1/proxy", "https://[::1]:2")))

    assert named_clusters({VARIABLE: written(clusters)}) == clusters


def test_nothing_is_named_by_default() -> None:
    assert named_clusters({}) == ()
    with pytest.raises(ClusterError, match="is no address of a cluster"):
        named_clusters({VARIABLE: "http://a:1 nowhere"})
