"""Assignments are compared by what they give."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.member import is_same


def test_the_order_of_partitions_does_not_matter():
    assert is_same({b"t": (1, 0)}, {b"t": [0, 1]})
    assert not is_same({b"t": (0,)}, {b"t": (0, 1)})
    assert not is_same({b"t": (0,)}, {b"u": (0,)})
