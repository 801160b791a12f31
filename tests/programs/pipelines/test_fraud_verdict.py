"""Precision and recall, counted by hand."""

from __future__ import annotations

import json

from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.fraud_verdict import precision_and_recall


def event(name, mark):
    return Event(b"c", json.dumps({"id": name}).encode(), 0, "", mark=mark)


def test_alerts_and_frauds_are_held_against_each_other():
    events = [event("a", ""), event("b", "one"), event("c", "one"), event("d", "two")]
    assert precision_and_recall(events, ["a", "b", "c"]) == (2, 1, 2)
    assert precision_and_recall(events, []) == (0, 0, 2)
