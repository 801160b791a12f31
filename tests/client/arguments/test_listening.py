"""When the methods of a listener are called."""

from __future__ import annotations

import pytest

from moldau.client.arguments.listening import Listening, RebalanceListener, listener_of
from moldau.client.core.consuming.group_state import Change
from moldau.client.errors import ConcurrentUseError, InvalidArgumentError
from moldau.client.topic_partition import TopicPartition

PART = TopicPartition("t", 0)
PARTS = frozenset({PART})


def made(listener: RebalanceListener | None) -> Listening:
    listening = Listening()
    listening.listener = listener
    return listening


def test_it_is_called_for_what_goes_before_and_for_what_comes_after():
    listener = RebalanceListener()
    listening = made(listener)
    gone, lost, come = Change(PARTS), Change(PARTS, is_loss=True), Change(assigned=PARTS)
    assert list(listening.before(gone)) == [(listener.on_revoked, [PART])]
    assert list(listening.before(lost)) == [(listener.on_lost, [PART])]
    assert list(listening.after(come)) == [(listener.on_assigned, [PART])]
    assert list(listening.after(gone)) == list(listening.before(come)) == []
    assert list(made(None).before(gone)) == []


def test_at_the_end_it_is_called_once():
    listener = RebalanceListener()
    listening = made(listener)
    assert listening.last(Change(PARTS)) == [(listener.on_revoked, [PART])]
    assert listening.last(Change(PARTS)) == []


def test_records_are_not_asked_for_while_it_is_called():
    listening = made(None)
    with listening.calling(), pytest.raises(ConcurrentUseError, match="its own listener"):
        listening.ensure_idle()
    listening.ensure_idle()


def test_a_class_of_listeners_is_no_listener():
    with pytest.raises(InvalidArgumentError, match=r"give RebalanceListener\(\)"):
        listener_of(RebalanceListener)  # type: ignore[arg-type]
