"""Java objects are asked for what their class has, wherever it comes from."""

from pathlib import Path

import pytest

from explorer.capture.jvm.java_machine import java_machine, own_jars
from explorer.capture.jvm.java_objects import JavaObjects
from tests.capture.flinks import PROGRAMS
from tests.quick_java import compile_java

pytestmark = pytest.mark.flink


def test_a_member_of_a_class_is_found_and_a_missing_one_is_the_default(tmp_path: Path) -> None:
    classes, folder = tmp_path / "classes", tmp_path / "own"
    for place in (classes, folder):
        place.mkdir()
    compile_java([PROGRAMS / "Defaults.java"], classes)
    with java_machine([*own_jars(), classes], folder, 60, {}) as machine:
        objects = JavaObjects(machine.java)
        made = getattr(machine.java, "Defaults$Made")()

        assert objects.call(made, "nothing", "inherited") == "from the interface above"
        assert objects.call(made, "nothing", default=5) == 5
        assert objects.is_a(made, "Base")
        assert objects.field(made, "nothing", default=6) == 6
        assert not objects.has_class("Defaults$Nothing")
