"""What the tests of pages share."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from components.run import trial


@pytest.fixture(scope="session", autouse=True)
def _packages_scanned_once() -> Iterator[None]:
    """Look for components among the installed packages once.

    Each AppTest is a server of its own to Streamlit, which would read the metadata of every
    package for it: more than nine tenths of a test's time, and always the same answer.
    """
    scan = cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_early_spark() -> Iterator[None]:
    """Start no Spark for the first visit: what tests of pages need of it, a trial starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trial, "start_spark_early", lambda: None)
        yield
