"""Addresses of clusters and of their jobs."""

import pytest

from explorer.rest.addresses import (
    VARIABLE,
    Address,
    ClusterError,
    is_address,
    join_addresses,
    named_cluster,
    named_clusters,
    read_address,
)
from tests.many_cases import for_each


@for_each(
    ("text", "cluster", "job"),
    [
        ("http://localhost:8081", "http://localhost:8081", None),
        ("http://localhost:8081/", "http://localhost:8081", None),
        ("http://localhost:8081/jobs", "http://localhost:8081", None),
        ("http://localhost:8081/jobs/overview", "http://localhost:8081", None),
        (f"https://flink.example/jobs/{'a' * 32}/plan", "https://flink.example:443", "a" * 32),
        (f"http://a:1/proxy/app_1/jobs/{'A' * 32}", "http://a:1/proxy/app_1", "a" * 32),
        (f"http://a:1/#/job/running/{'a' * 32}/overview", "http://a:1", "a" * 32),
        ("http://[::1]:8081", "http://[::1]:8081", None),
    ],
)
def test_an_address_names_a_cluster_and_perhaps_a_job(
    text: str, cluster: str, job: str | None
) -> None:
    address, found = read_address(text)
    assert (str(address), found) == (cluster, job)


@for_each(
    ("text", "says"),
    [
        ("ftp://a/jobs", "is no address of a cluster"),
        ("file:///etc/passwd", "for one of its jobs$"),
        ("s3://bucket/job.jar", "copy a file from elsewhere to this machine, and name the copy$"),
        ("http://", "is no address of a cluster"),
        ("http://a:99999", "out of range"),
        ("http://a:x", "is no address"),
        ("http://[::1", "is no address"),
        ("http://user:secret@a:1", "holds no user and no password"),
        ("http://a:1/jobs/12", "is no job ID"),
        ("http://a b", "holds a space"),
        ("http://a\r\nHost: b", "holds a space"),
    ],
)
def test_an_invalid_address_is_one_sentence(text: str, says: str) -> None:
    with pytest.raises(ClusterError, match=says) as caught:
        read_address(text)
    assert "secret" not in str(caught.value)


@for_each(
    ("target", "wanted"),
    [
        ("http://localhost:8081", True),
        ("HTTPS://flink", True),
        ("127.0.0.1:8081", True),
        ("flink.example:8081/jobs", True),
        ("[::1]:8081", True),
        ("job.jar", False),
        ("a:b.yaml", False),
        ("C:/jobs/job.jar", False),
        ("folder/job:8081", False),
    ],
)
def test_a_target_is_an_address_or_a_file(target: str, *, wanted: bool) -> None:
    assert is_address(target) == wanted


def test_an_address_is_written_as_a_browser_accepts_it() -> None:
    assert str(Address(secure=True, host="::1", port=8081, path="/flink")) == (
        "https://[::1]:8081/flink"
    )


def test_a_scheme_stands_for_its_port() -> None:
    assert [read_address(text)[0].port for text in ("http://a", "https://a", "a:9")] == [80, 443, 9]


def test_a_cluster_is_named_and_a_job_is_not() -> None:
    assert str(named_cluster("localhost:8081")) == "http://localhost:8081"
    with pytest.raises(ClusterError, match=r"is one job: name its cluster, http://a:1$"):
        named_cluster(f"http://a:1/jobs/{'a' * 32}")


def test_clusters_have_the_given_order_and_no_duplicates() -> None:
    found = named_clusters({VARIABLE: "http://b:1  http://a:1 b:1"})

    assert [str(one) for one in found] == ["http://b:1", "http://a:1"]


def test_written_clusters_are_read_again() -> None:
    clusters = tuple(map(named_cluster, ("http://a:1/proxy", "https://[::1]:2")))

    assert named_clusters({VARIABLE: join_addresses(clusters)}) == clusters


def test_nothing_is_named_by_default() -> None:
    assert named_clusters({}) == ()
    with pytest.raises(ClusterError, match="is no address of a cluster"):
        named_clusters({VARIABLE: "http://a:1 nowhere"})
