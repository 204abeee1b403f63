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
    """The server of an ``AppTest``, without a browser for its session.

    Streamlit's own stand-in, a ``MagicMock``, creates a class for each attribute that is read.
    """

    uploaded_file_mgr = None

    def __init__(self, **_: object) -> None:
        """Accept the arguments of a ``MagicMock``."""

    def get_client(self, _session: str) -> None:
        """Return None, as for a session that is not connected."""

    def is_active_session(self, _session: str) -> bool:
        """Whether the page of a session is open: it is, as long as the test runs."""
        return True


@pytest.fixture(scope="session", autouse=True)
def _as_served() -> Iterator[None]:
    """Read widget values by key as the served page does, and answer for the server.

    Together this saves a fifth of the CPU time of the page tests.
    """
    read_by_key()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_test, "MagicMock", ServerWithoutBrowser)
        yield
