"""More connections than there is room for: some are closed, the node and its clients go on."""

from __future__ import annotations

import os
import resource
import time
from contextlib import contextmanager, suppress

import pytest

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from tests.floods.attacked_node import MIB, attacked, create_topic, resident_bytes
from tests.floods.greed import (
    ELSEWHERE,
    connect,
    crowd,
    framed,
    is_closed,
    read_exactly,
    wait_until,
)
from tests.interop.differential.side import Side

GROWTH_MIB = 150
FEW = 200
ASK = ApiVersionsRequest(client_software_name="crowd", client_software_version="1")

pytestmark = pytest.mark.timeout(300)


@contextmanager
def descriptors(node, count):
    """The node may have no more of them, as long as the block lasts."""
    allowed = resource.prlimit(node.process_id, resource.RLIMIT_NOFILE)
    resource.prlimit(node.process_id, resource.RLIMIT_NOFILE, (count, allowed[1]))
    yield
    resource.prlimit(node.process_id, resource.RLIMIT_NOFILE, allowed)


def is_served(port, origin=None):
    with suppress(OSError, AssertionError), connect(port, *filter(None, [origin])) as peer:
        peer.sendall(framed(ASK, 4))
        return bool(read_exactly(peer, 4))
    return False


def test_some_descriptors_are_kept_for_files(tmp_path):
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node:
        with descriptors(node, FEW), crowd(node.client_port, 2 * FEW) as peers:
            wait_until(lambda: any(map(is_closed, peers)))
        wait_until(lambda: is_served(node.client_port))
        side = Side("the node", node.client_port)
        create_topic(side, "after")
        side.close()
    assert "is for files" in (tmp_path / "moldau.broker.log").read_text()


def test_a_node_without_any_descriptor_left_accepts_again_when_it_has_some(tmp_path):
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node:
        used = len(os.listdir(f"/proc/{node.process_id}/fd"))
        with descriptors(node, used), connect(node.client_port) as waiting:
            time.sleep(0.5)
            waiting.sendall(framed(ASK, 4))
        wait_until(lambda: is_served(node.client_port))


def test_no_more_connections_from_one_address_than_the_limit(tmp_path, volume):
    limit, flood = 50, volume(200, 10_000)
    with attacked(tmp_path, growth_mib=GROWTH_MIB, max_connections_per_ip=str(limit)) as node:
        peers = [connect(node.client_port, ELSEWHERE) for _ in range(limit)]
        for _ in range(flood):
            connect(node.client_port, ELSEWHERE).close()
        with connect(node.client_port, ELSEWHERE) as late:
            wait_until(lambda: is_closed(late))
        assert not any(map(is_closed, peers))
        for peer in peers:
            peer.close()
        # Once the node knows who is gone.
        wait_until(lambda: is_served(node.client_port, ELSEWHERE))


def test_idle_connections_cost_little(tmp_path, volume):
    """Twelve KiB each are granted, and two MiB for the first requests of a kind."""
    count = volume(200, 5_000)
    with attacked(tmp_path) as node:
        before = resident_bytes(node)
        with crowd(node.client_port, count, framed(ASK, 4)) as peers:
            time.sleep(1)
            assert not any(map(is_closed, peers))
            grown = resident_bytes(node) - before
    assert grown < count * 12 * 1024 + 2 * MIB, f"{grown / count:.0f} bytes each"
