"""Which requests have a shortcut."""

from __future__ import annotations

import pytest

from moldau.broker.server.call import Call
from moldau.broker.server.shortcut import MODULES, Shortcut, shortcut_of
from moldau.network.connection import Connection
from moldau.protocol.messages.index import BY_KEY
from tests.broker.server.asking import broker_with


def unread(connection: Connection, frame: memoryview) -> Call:
    raise AssertionError("nobody has asked")


def found(api_key: int, version: int) -> Shortcut | None:
    return shortcut_of(api_key, version, broker_with(), unread)


@pytest.mark.parametrize("api_key", MODULES)
def test_shortcuts_are_bounded_by_versions_above_and_below(api_key):
    versions, request = MODULES[api_key][1], BY_KEY[api_key].request
    assert [one for one in range(60) if found(api_key, one) is not None] == list(versions)
    assert all(one in request.FLEXIBLE and one in request.VERSIONS for one in versions)


def test_other_apis_have_none():
    assert found(18, 4) is None
