"""Which requests have a fast reader."""

from __future__ import annotations

import pytest

from moldau.broker.server.fast_readers import VERSIONS, fast_reader_of
from moldau.protocol.messages.index import BY_KEY
from tests.broker.server.asking import broker_with


@pytest.mark.parametrize("api_key", VERSIONS)
def test_fast_readers_are_bounded_by_versions_above_and_below(api_key):
    versions, request = VERSIONS[api_key], BY_KEY[api_key].request
    read = [one for one in range(60) if fast_reader_of(api_key, one, broker_with()) is not None]
    assert read == list(versions)
    assert all(one in request.FLEXIBLE and one in request.VERSIONS for one in versions)


def test_other_apis_have_none():
    assert fast_reader_of(18, 4, broker_with()) is None
