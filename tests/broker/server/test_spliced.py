"""Encoded elements in the place of an empty list: the bytes that the codec writes."""

from __future__ import annotations

import pytest

from moldau.broker.server.spliced import Splice, SplicedAnswer
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.compile import encode

Topic = MetadataResponse.MetadataResponseTopic
Broker = MetadataResponse.MetadataResponseBroker
VERSIONS = MetadataResponse.VERSIONS.each()


def topics(count):
    return [Topic(error_code=0, name=f"topic {index}", partitions=[]) for index in range(count)]


def response(elements, throttle_time_ms=0):
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=[Broker(node_id=1, host="here", port=9092, rack=None)],
        cluster_id="a cluster",
        controller_id=1,
        topics=elements,
    )


def splice(version):
    blank = MetadataResponse(brokers=[], controller_id=0, topics=[])
    return Splice(blank, "topics", topics(1)[0], version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("count", [0, 1, 2, 126, 127, 128, 300])
def test_an_answer_is_the_same_however_its_elements_were_put_together(version, count):
    made, elements = splice(version), topics(count)
    parts = [made.elements(elements[:1]), made.elements(elements[1:])] if count else []
    answer = SplicedAnswer(response([]), made, count, parts)
    assert answer.encode() == encode(response(elements), version)


def test_what_changes_in_the_message_shows_in_the_answer():
    made = splice(9)
    answer = SplicedAnswer(response([]), made, 1, [made.elements(topics(1))])
    answer.message.throttle_time_ms = 7  # type: ignore[attr-defined]
    assert answer.encode() == encode(response(topics(1), throttle_time_ms=7), 9)
    assert repr(answer) == "SplicedAnswer(MetadataResponse with 1 elements)"
