"""A plugin of pytest: a law ends at the first example that fails, and looks for no smaller one."""

import pytest
from hypothesis import Phase, settings


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """After the project's own profiles are loaded, before a test reads them."""
    phases = [phase for phase in settings().phases if phase not in {Phase.shrink, Phase.explain}]
    settings.register_profile("first example", settings(), phases=phases)
    settings.load_profile("first example")
