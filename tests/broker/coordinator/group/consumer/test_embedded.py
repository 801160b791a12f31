"""The bytes of classic consumers: their subscriptions, and the assignments for them."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.classic.member import MemberProtocol
from moldau.broker.coordinator.group.consumer.embedded import (
    assignment_for,
    assignment_in,
    by_topic_id,
    subscription_of,
)
from moldau.broker.metadata.image import Image
from moldau.errors import DecodeError
from tests.broker.coordinator.group.classic.conversation import subscription
from tests.broker.coordinator.group.consumer.conversation import id_of, with_topics


def image() -> Image:
    return with_topics(Image(), "", t=2).build()


def test_an_assignment_is_given_in_the_version_of_the_subscription():
    for version in (b"\0\1", b"\0\3"):
        data = assignment_for(version, {id_of("t"): (1, 0), b"gone" * 4: (0,)}, image())
        assert data[:2] == version
        (entry,) = assignment_in(data).assigned_partitions
        assert (entry.topic, entry.partitions) == ("t", [1, 0])
        assert by_topic_id([entry], image()) == {id_of("t"): [1, 0]}


def test_the_first_protocol_has_the_topics():
    protocols = [MemberProtocol("range", subscription("t", "u"))]
    assert subscription_of(protocols).topics == ["t", "u"]


def test_what_has_no_version_cannot_be_read():
    with pytest.raises(DecodeError):
        subscription_of([MemberProtocol("range", b"\0")])
