"""What the tests of pages share."""

from collections.abc import Iterator

import pytest

from components.run import trial


@pytest.fixture(scope="session", autouse=True)
def _no_early_spark() -> Iterator[None]:
    """Start no Spark for the first visit: what tests of pages need of it, a trial starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trial, "start_spark_early", lambda: None)
        yield
