"""Judge: bytes of a segment that changed on the disk of a leader are sent as they are.

Neither Apache Kafka nor ours looks at a batch's checksum when it is read: clients and followers do.
A leader that checked would read every batch into memory, where it now has the kernel send the file.
"""

from __future__ import annotations

from functools import partial

import pytest

from tests.cluster.asking import until
from tests.interop.differential.side import Side
from tests.interop.differential.trouble_requests import creation, fetched, written

pytestmark = [pytest.mark.judge, pytest.mark.timeout(200)]

TOPIC, BATCHES = "damaged", 3
SEGMENT = f"{TOPIC}-0/{0:020}.log"


def answers(node):
    """What each read gives: its code, the high watermark, and which bytes of the file."""
    node.start()
    asking = Side("client", node.client_port)
    made, appended = creation(TOPIC, [1]), written(TOPIC)
    asking.ask(made.request, made.version)
    for number in range(BATCHES):
        until(partial(has_appended, asking, appended, 2 * number))
    segment = node.data / SEGMENT
    size = segment.stat().st_size // BATCHES
    damage(segment, 2 * size - 1)
    whole = segment.read_bytes()
    found = []
    for offset in range(2 * BATCHES):
        step = fetched(TOPIC, offset=offset)
        part = asking.ask(step.request, step.version).responses[0].partitions[0]
        sent = bytes(part.records or b"")
        found.append((part.error_code, part.high_watermark, whole.find(sent), len(sent)))
    asking.close()
    node.stop()
    return found


def damage(segment, position):
    with segment.open("r+b") as file:
        file.seek(position)
        (byte,) = file.read(1)
        file.seek(position)
        file.write(bytes([byte ^ 0xFF]))


def has_appended(asking, step, offset):
    """The leader may not know yet that it is one."""
    answer = asking.ask(step.request, step.version)
    return answer.responses[0].partition_responses[0].base_offset == offset


def test_a_damaged_batch_is_sent_as_it_is(new_moldau_node, new_kafka_node):
    ours, theirs = answers(new_moldau_node()), answers(new_kafka_node())
    assert ours == theirs
    size = ours[0][3] // BATCHES
    places = [offset // 2 * size for offset in range(2 * BATCHES)]
    assert ours == [(0, 2 * BATCHES, place, BATCHES * size - place) for place in places]
