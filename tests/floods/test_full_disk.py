"""A real file system that is full: records are refused, the node ends, and a restart finds all.

It is a small one in memory, mounted for the test; without the right to mount it is skipped.
"""

from __future__ import annotations

import subprocess

import pytest

from tests.floods.attacked_node import MIB, create_topic, fetch, try_to_produce
from tests.floods.greed import wait_until
from tests.interop.differential.side import ClosedError, Side
from tests.judges.moldau_node import MoldauNode

SIZE_MIB = 24
LARGER_MIB = 96
VALUE = bytes(MIB // 2)
KAFKA_STORAGE_ERROR = 56


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a file system of few bytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m", "moldau", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        pytest.skip(f"a small disk cannot be mounted: {error}")
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_ends_the_node_and_keeps_what_was_acknowledged(tmp_path, small_disk):
    node = MoldauNode(tmp_path, data=small_disk / "data")
    node.start()
    try:
        acknowledged = fill(node)
        wait_until(lambda: not node.is_up)
        assert "no room is left on the device" in node.last_words()
        assert "start the node again" in node.last_words()
        assert "Traceback" not in node.last_words()
        node.kill()
        larger = f"remount,size={LARGER_MIB}m"
        subprocess.run(["mount", "-o", larger, str(small_disk)], check=True)
        node.start()
        side = Side("the node", node.client_port)
        values = [fetch(side, "large", offset)[0] for offset in range(acknowledged)]
        assert [value == VALUE for value in values] == [True] * acknowledged
        assert try_to_produce(side, "large", [VALUE]).error_code == 0
        side.close()
        assert node.stop() == 0
    finally:
        node.kill()


def fill(node):
    """Write until the node refuses; how many records it acknowledged."""
    side = Side("the node", node.client_port)
    create_topic(side, "large")
    acknowledged = 0
    try:
        while (told := try_to_produce(side, "large", [VALUE])).error_code == 0:
            acknowledged += 1
        assert told.error_code == KAFKA_STORAGE_ERROR, told
    except ClosedError:
        pass
    finally:
        side.close()
    assert acknowledged * len(VALUE) > SIZE_MIB * MIB // 4
    return acknowledged
