"""Memory that threads have freed is returned, or used by the next one."""

import subprocess
import sys

THREADS, BLOCKS, BLOCK = 12, 80, 100_000
PROGRAM = f"""
import threading
from explorer.process_memory import resident_bytes, share_free_memory, trim_free_memory

share_free_memory()
barrier, retained = threading.Barrier({THREADS}), []

def work():
    barrier.wait()
    blocks = [b"x" * {BLOCK} for _ in range({BLOCKS})]
    retained.append(blocks.pop())
    del blocks
    barrier.wait()

before = resident_bytes()
for _ in range(2):
    threads = [threading.Thread(target=work) for _ in range({THREADS})]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(resident_bytes() - before)
trim_free_memory()
print(resident_bytes() - before)
"""


def test_threads_retain_no_heaps_of_their_own() -> None:
    command = [sys.executable, "-c", PROGRAM]
    grown, trimmed = map(int, subprocess.check_output(command, timeout=60).split())

    assert grown < THREADS * BLOCKS * BLOCK / 2, "each thread has a heap that it does not return"
    assert trimmed < grown
