"""Each refusal has the form of its answer."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.coordinator.share.answers import refused
from moldau.broker.coordinator.share.state import ShareKey
from moldau.errors import KafkaError
from moldau.protocol.messages.index import BY_KEY

KEY = ShareKey("g", bytes(15) + b"\x01", 3)


@pytest.mark.parametrize("api_key", [83, 84, 85, 86, 87])
def test_a_refusal_names_the_partition_and_the_reason(api_key):
    api = BY_KEY[api_key]
    request: Any = api.request
    response: Any = refused(request(group_id="g", topics=[]), KEY, KafkaError(42, "no"))
    (result,) = response.results
    (partition,) = result.partitions
    assert api_key == response.KEY
    assert result.topic_id == KEY.topic_id
    assert (partition.partition, partition.error_code, partition.error_message) == (3, 42, "no")
