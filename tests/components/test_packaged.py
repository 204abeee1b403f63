"""The files of components are known to a server before anybody mounts one of them."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager

from components.widgets import packaged


def test_first_visitors_who_come_at_once_have_all_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one must wait until the first has registered the last component."""
    names = [
        f"{manifest.name}.{config.name}"
        for manifest, _ in packaged._places()
        for config in manifest.components
    ]
    former = sys.getswitchinterval()
    sys.setswitchinterval(0.000_01)
    try:
        for _ in range(40):
            manager, arrived = BidiComponentManager(), threading.Barrier(4)
            monkeypatch.setattr(packaged, "get_bidi_component_manager", lambda m=manager: m)

            def unknown(manager: BidiComponentManager, arrived: threading.Barrier) -> list[str]:
                arrived.wait(60)
                packaged.announce()
                return [name for name in names if manager.get_component_asset_root(name) is None]

            with ThreadPoolExecutor(4) as visitors:
                answers = [visitors.submit(unknown, manager, arrived) for _ in range(4)]
            assert [answer.result() for answer in answers] == [[]] * 4
    finally:
        sys.setswitchinterval(former)
