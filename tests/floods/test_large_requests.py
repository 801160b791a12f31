"""Requests that ask for much with few bytes: long arrays of everything, and records that swell."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from moldau.broker.server.apis import BROKER, versions_of
from moldau.protocol.messages.config.describe_configs import DescribeConfigsRequest
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.index import APIS
from moldau.protocol.records.compression import Codec
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import request_header_version
from tests.floods.attacked_node import (
    MIB,
    attacked,
    batch_of,
    create_topic,
    resident_bytes,
    try_to_send,
)
from tests.floods.drawn_frames import LEFT_ALONE, with_size
from tests.floods.greed import connect, framed
from tests.interop.differential.side import Side
from tests.protocol.messages.heavy_messages import weights
from tests.protocol.messages.random_messages import Pair

PEAK_MIB = 150
ANSWER_MAX = 4 * MIB
SILENCE_S = 2
"""After this it is a request that waits for others, as a member's of a group."""

pytestmark = pytest.mark.timeout(600)


def peak_bytes(node):
    """The most that the process ever had in memory."""
    lines = Path(f"/proc/{node.process_id}/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])


def long_arrays(count):
    """A request of every API for every array in it that can be made long."""
    for api in APIS:
        if api.key not in BROKER or api.key in LEFT_ALONE:
            continue
        pair = Pair(api.request, versions_of(api.key)[-1])
        header = RequestHeader(
            request_api_key=api.key,
            request_api_version=pair.version,
            correlation_id=1,
            client_id="long",
        )
        head = encode(header, request_header_version(pair.message, pair.version))
        yield from (with_size(head + weight.frame(count)) for weight in weights(pair))


def ask(port, frame):
    """Send it; the size of the answer, or 0 when the link is closed or nothing comes."""
    with connect(port) as peer:
        try:
            peer.sendall(frame)
            peer.settimeout(SILENCE_S)
            return int.from_bytes(peer.recv(4), "big")
        except (ConnectionError, TimeoutError):
            return 0


def test_long_arrays_in_any_request_cost_bounded_memory(tmp_path, volume):
    with attacked(tmp_path, growth_mib=PEAK_MIB) as node:
        before = resident_bytes(node)
        for frame in long_arrays(volume(5_000, 100_000)):
            ask(node.client_port, frame)
        grown = peak_bytes(node) - before
    assert grown < volume(PEAK_MIB, 4 * PEAK_MIB) * MIB, f"{grown / MIB:.0f} MiB"


def test_the_same_question_many_times_costs_one_answer(tmp_path):
    asked = DescribeConfigsRequest.DescribeConfigsResource(
        resource_type=4, resource_name="1", configuration_keys=None
    )
    request = DescribeConfigsRequest(
        resources=[asked] * 2_000, include_synonyms=True, include_documentation=True
    )
    with attacked(tmp_path, growth_mib=PEAK_MIB) as node:
        before = resident_bytes(node)
        assert 0 < ask(node.client_port, framed(request, 4)) < ANSWER_MAX
        grown = peak_bytes(node) - before
    assert grown < PEAK_MIB * MIB


def test_records_that_swell_are_refused_before_they_fill_the_memory(tmp_path, volume):
    """200 KiB that are 200 MiB, for a topic whose codec is another one."""
    batch = batch_of([bytes(200 * MIB)], Codec.GZIP)
    with attacked(tmp_path, growth_mib=PEAK_MIB) as node:
        before = resident_bytes(node)
        with closing(Side("the node", node.client_port)) as side:
            create_topic(side, "zstd", compression_type="zstd")
            for _ in range(volume(1, 100)):
                row = try_to_send(side, "zstd", batch)
                assert row.error_code == ErrorCode.INVALID_RECORD
                assert "unfolds to more than" in row.error_message
        grown = peak_bytes(node) - before
    assert grown < 1.5 * PEAK_MIB * MIB, f"{grown / MIB:.0f} MiB"
