"""A real file system that is full: records are refused, the node ends, and a restart finds all."""

from __future__ import annotations

from tests.floods.attacked_node import MIB, create_topic, fetch, try_to_produce
from tests.floods.greed import wait_until
from tests.interop.differential.side import ClosedError, Side
from tests.judges.moldau_node import MoldauNode

SIZE_MIB = 24
LARGER_MIB = 96
VALUE = bytes(MIB // 2)
KAFKA_STORAGE_ERROR = 56


def test_a_full_disk_ends_the_node_and_keeps_what_was_acknowledged(tmp_path, small_disk):
    small_disk.resize(f"{SIZE_MIB}m")
    node = MoldauNode(tmp_path, data=small_disk.folder / "data")
    node.start()
    try:
        acknowledged = fill(node)
        wait_until(lambda: not node.is_up)
        assert "no room is left on the device" in node.last_words()
        assert "start the node again" in node.last_words()
        assert "Traceback" not in node.last_words()
        node.kill()
        small_disk.resize(f"{LARGER_MIB}m")
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
        while (answer := try_to_produce(side, "large", [VALUE])).error_code == 0:
            acknowledged += 1
        assert answer.error_code == KAFKA_STORAGE_ERROR, answer
    except ClosedError:
        pass
    finally:
        side.close()
    assert acknowledged * len(VALUE) > SIZE_MIB * MIB // 4
    return acknowledged
