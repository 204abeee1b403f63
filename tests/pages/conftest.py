"""What the tests of pages share."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import app_test

from components.run import trial
from components.serve import read_by_key


@pytest.fixture(scope="session", autouse=True)
def _no_early_spark() -> Iterator[None]:
    """Start no Spark for the first visit: what tests of pages need of it, a trial starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trial, "start_spark_early", lambda: None)
        yield


class ServerWithoutBrowser:
    """What an ``AppTest`` takes for the server: it knows no browser of its session.

    Streamlit's own, a ``MagicMock``, makes a class for whatever it is asked.
    """

    uploaded_file_mgr = None

    def __init__(self, **_: object) -> None:
        """As a ``MagicMock`` is made."""

    def get_client(self, _session: str) -> None:
        """Return None, as for a session that is not connected."""

    def is_active_session(self, _session: str) -> bool:
        """Whether the page of a session is open: it is, as long as the test runs."""
        return True


@pytest.fixture(scope="session", autouse=True)
def _as_served() -> Iterator[None]:
    """Let fields read their values as on the server, and pages find no browser.

    Together this spares a fifth of the CPU time of tests of pages.
    """
    read_by_key()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_test, "MagicMock", ServerWithoutBrowser)
        yield
