"""The watched tab of a journey reports requests to other hosts."""

import re

import pytest
from playwright.sync_api import Browser

from tests.journeys.conftest import watched_page


def request_in_a_tab(browser: Browser, address: str, url: str) -> None:
    with watched_page(browser) as page:
        page.goto(f"{address}/_stcore/health")
        page.evaluate("url => fetch(url, { mode: 'no-cors' }).catch(() => 0)", url)


def test_a_request_elsewhere_fails_a_journey(browser: Browser, address: str) -> None:
    port = address.rpartition(":")[2]
    for host in ("example.org", "192.0.2.1", "[::1]", f"localhost:{port}"):
        url = f"http://{host}/"
        with pytest.raises(AssertionError, match=re.escape(f"request to {url}")):
            request_in_a_tab(browser, address, url)
