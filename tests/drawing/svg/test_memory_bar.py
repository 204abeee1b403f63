"""A process's memory as a bar."""

import re

from explorer.deployment import job_manager_memory, task_manager_memory
from explorer.drawing.svg.memory_bar import COLOURS, memory_bar


def test_parts_are_in_proportion_and_empty_ones_left_out() -> None:
    html = memory_bar("task manager", {"task heap": 3 << 20, "managed": 1 << 20, "network": 0})

    assert re.findall(r"flex:([\d.]+)", html) == ["0.75000", "0.25000"]
    assert "network" not in html
    assert ">4 MiB</b>" in html


def test_a_size_shows_its_bytes_on_pointing() -> None:
    html = memory_bar("heap", {"heap": 1536})

    assert html.count('<b title="1.500kb (1536 bytes)">1.5 KiB</b>') == 2
    assert 'aria-label="heap: 1.500kb (1536 bytes)"' in html


def test_every_part_of_a_process_has_a_colour() -> None:
    task = task_manager_memory({"taskmanager.memory.process.size": "2g"})
    job = job_manager_memory({"jobmanager.memory.process.size": "2g"})

    for memory in (task, job):
        assert set(memory.parts) <= set(COLOURS)
