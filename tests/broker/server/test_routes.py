"""What is known of requests before they come, and how their headers are read."""

from __future__ import annotations

from struct import pack

import pytest

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.routes import make_route, stepped_down
from moldau.errors import DecodeError
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from tests.broker.server.asking import frame_of

KEY = ApiVersionsRequest.KEY
ASK = ApiVersionsRequest(client_software_name="a", client_software_version="1")


async def waits(call, broker):
    pass


def test_a_route_knows_who_waits_and_what_the_answer_has():
    registry = Registry()
    old, late = (make_route(KEY, version, waits, registry) for version in (0, 4))
    assert old.is_async
    assert (old.header_is_flexible, late.header_is_flexible) == (False, True)
    assert (old.head.size, late.has_throttle_time, late.has_error_code) == (8, True, True)


@pytest.mark.parametrize("name", ["a client", "", None])
def test_a_header_has_a_name_and_ends_where_the_body_begins(name):
    route = make_route(KEY, 4, waits, Registry())
    frame = memoryview(frame_of(ASK, 4, client_id=name))
    size = -1 if name is None else len(name)
    found, position = route.read_header(frame, size)
    assert (found, position) == (name, 10 + max(size, 0) + 1)


def test_a_name_that_is_longer_than_its_frame_is_refused():
    route = make_route(KEY, 0, waits, Registry())
    with pytest.raises(DecodeError, match="longer than its frame"):
        route.read_header(memoryview(pack(">hhih", KEY, 0, 1, 500)), 500)


def test_the_body_of_an_unknown_version_is_not_read():
    route = stepped_down(77, Registry())
    assert (route.version, route.is_read, route.header_is_flexible) == (0, False, True)
