"""Topics in the metadata of classic consumers."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.classic.subscriptions import subscribed_topics, topics_of
from tests.broker.coordinator.group.classic.conversation import subscription


def test_the_topics_of_all_members_count():
    assert subscribed_topics([subscription("a"), subscription("a", "b")]) == frozenset("ab")
    assert subscribed_topics([]) == frozenset()


@pytest.mark.parametrize("garbage", [b"", b"\0", b"\xff\xff", b"\0\0\x7f"])
def test_what_is_no_subscription_means_that_topics_are_unknown(garbage):
    assert topics_of(garbage) is None
    assert subscribed_topics([subscription("a"), garbage]) is None


def test_a_later_version_is_read_like_ours():
    assert topics_of(b"\0\x09" + subscription("a")[2:] + b"more") == ["a"]
