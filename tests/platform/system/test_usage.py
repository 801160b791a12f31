"""What a process takes of its machine, beside what the machine says."""

from __future__ import annotations

import gc
import os
import sys

import pytest

from moldau.platform.system.usage import ProcessUsage

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the numbers are Linux's")


def test_descriptors_that_are_opened_are_counted():
    usage = ProcessUsage()
    before = usage.read()["open_fds"]
    reads, writes = os.pipe()
    after = usage.read()["open_fds"]
    os.close(reads)
    os.close(writes)
    assert after == before + 2


def test_memory_that_is_used_is_counted():
    usage = ProcessUsage()
    before = usage.read()["resident_bytes"]
    held = bytearray(b"x" * (64 << 20))
    assert usage.read()["resident_bytes"] >= before + len(held) // 2


def test_the_processor_and_collections_of_garbage_are_counted():
    usage = ProcessUsage()
    before = usage.read()
    gc.collect()
    after = usage.read()
    assert after["collections"] > before["collections"]
    assert after["collecting_seconds"] > before["collecting_seconds"]
    assert after["cpu_seconds"] > before["cpu_seconds"]


def test_what_the_disk_was_asked_is_there():
    found = ProcessUsage().read()
    assert found.keys() >= {"disk_read_bytes", "disk_write_bytes", "threads", "virtual_bytes"}
    assert found["max_fds"] >= found["open_fds"] > 0
