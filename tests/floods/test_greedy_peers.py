"""Peers that claim, hold, flood or never take: the node's memory stays bounded, others are served.

The bounds are stated beside each attack. The long form has the sizes of a deliberate flood:
thousands of connections, for half a minute.
"""

from __future__ import annotations

import time
from struct import pack, unpack

import pytest

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from tests.floods.attacked_node import (
    MIB,
    TOPIC,
    attacked,
    create_topic,
    fetch_request,
    produce,
)
from tests.floods.greed import (
    connect,
    crowd,
    framed,
    is_closed,
    read_exactly,
    send_some,
    times_logged,
    wait_until,
)
from tests.interop.differential.side import Side

FRAME_BYTES_MAX = 100 * MIB
GROWTH_MIB = 150
ASK = ApiVersionsRequest(client_software_name="greed", client_software_version="1")
LONG_POLL = FetchRequest(
    max_wait_ms=60_000,
    min_bytes=1 << 20,
    session_epoch=-1,
    topics=[
        FetchRequest.FetchTopic(
            topic=TOPIC,
            partitions=[
                FetchRequest.FetchTopic.FetchPartition(
                    partition=0, fetch_offset=0, partition_max_bytes=1 << 20
                )
            ],
        )
    ],
)

pytestmark = pytest.mark.timeout(300)


NO_REQUESTS = (
    pack(">i", -1),
    pack(">i", -(2**31)),
    pack(">i", FRAME_BYTES_MAX + 1),
    pack(">i", 2**31 - 1),
    pack(">i", 0),
    pack(">i", 8) + bytes(8),
    pack(">ihhih", 10, 999, 0, 1, -1),
    pack(">ihhih", 10, -1, 0, 1, -1),
    pack(">ihhih", 10, 0, 99, 1, -1),
    pack(">ihhih", 10, 3, -1, 1, -1),
    pack(">ihhih", 10, 18, 0, 1, 32767),
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
)
"""Sizes that cannot be, requests that are none, unknown APIs and versions, and greetings
in other languages."""


def test_what_is_no_request_closes_its_connection(tmp_path):
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node:
        for says in NO_REQUESTS:
            with connect(node.client_port) as peer:
                peer.sendall(says)
                wait_until(lambda peer=peer: is_closed(peer))


def test_a_claim_costs_what_has_come_of_it(tmp_path, volume):
    """2,000 peers claim 100 MiB each and go on a byte at a time: 200 GB are announced."""
    claims, bytes_each = volume(200, 2_000), volume(2, 30)
    with (
        attacked(tmp_path, growth_mib=GROWTH_MIB) as node,
        crowd(node.client_port, claims, pack(">i", FRAME_BYTES_MAX) + bytes(10)) as peers,
    ):
        for _ in range(bytes_each):
            time.sleep(1)
            assert sum(send_some(peer, b"x") for peer in peers) == claims


def test_what_is_sent_ahead_of_an_answer_is_held_in_small_pieces(tmp_path, volume):
    """Each of them waits for an answer, and has sent as much behind the question as goes."""
    count = volume(300, 3_000)
    says = framed(LONG_POLL, 11) + pack(">i", FRAME_BYTES_MAX) + bytes(MIB)
    with (
        attacked(tmp_path, growth_mib=2 * GROWTH_MIB) as node,
        crowd(node.client_port, count, says) as peers,
    ):
        time.sleep(1)
        assert not any(map(is_closed, peers))


def test_readers_that_never_take_their_answers_cost_one_answer_each_and_are_sent_away(
    tmp_path, volume
):
    readers, records = volume(50, 1_000), 8
    with attacked(tmp_path, growth_mib=GROWTH_MIB, connections_max_idle_ms="3000") as node:
        side = Side("the node", node.client_port)
        create_topic(side, "large", segment_bytes="104857600")
        for _ in range(records):
            produce(side, "large", [bytes(MIB - 200)])
        side.close()
        says = framed(fetch_request("large", 0, 8 * MIB), 11) * 100
        with crowd(node.client_port, readers, says) as peers:
            log, text = tmp_path / "moldau.broker.log", "takes nothing of its answer"
            wait_until(lambda: times_logged(log.read_text(), text) == readers)
            # Every look at each of them takes a piece of what was on its way.
            wait_until(lambda: sum(map(is_closed, peers)) == readers)


def test_who_falls_silent_in_the_middle_of_a_request_is_sent_away(tmp_path, volume):
    with (
        attacked(tmp_path, growth_mib=GROWTH_MIB, connections_max_idle_ms="2000") as node,
        crowd(node.client_port, volume(100, 2_000), framed(ASK, 4)[:-3]) as peers,
    ):
        wait_until(lambda: all(map(is_closed, peers)))


def test_thousands_of_requests_ahead_are_answered_in_their_order(tmp_path, volume):
    count = volume(5_000, 50_000)
    frames = b"".join(framed(ASK, 4, number) for number in range(count))
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node, connect(node.client_port) as peer:
        sent = send_some_while_it_goes(peer, frames)
        for number in range(count):
            (size,) = unpack(">i", read_exactly(peer, 4))
            assert unpack(">i", read_exactly(peer, size)[:4]) == (number,)
            if sent < len(frames):
                peer.setblocking(False)
                sent += send_some(peer, frames[sent : sent + MIB])
                peer.settimeout(30)


def send_some_while_it_goes(peer, frames):
    """Nothing is read: the node must stop taking at some time; how much it and the kernels took."""
    peer.setblocking(False)
    sent, idle = 0, 0
    while idle < 20 and sent < len(frames):
        more = send_some(peer, frames[sent : sent + MIB])
        sent += more
        idle = 0 if more else idle + 1
        time.sleep(0.01)
    peer.settimeout(30)
    return sent
