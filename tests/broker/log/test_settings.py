"""Kafka's defaults."""

from __future__ import annotations

from moldau.broker.log.settings import COMPACT, DELETE, LogSettings


def test_the_policy_says_what_goes():
    assert (LogSettings().deletes, LogSettings().compacts) == (True, False)
    compacted = LogSettings(cleanup_policy=frozenset({COMPACT}))
    assert (compacted.deletes, compacted.compacts) == (False, True)
    both = LogSettings(cleanup_policy=frozenset({COMPACT, DELETE}))
    assert both.deletes
    assert both.compacts
