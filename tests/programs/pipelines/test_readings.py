"""Readings: the same for the same seed, in disorder, with what is to be found."""

from __future__ import annotations

import json
from collections import Counter

from moldau.programs.pipelines.readings import readings

UNTIL_MS = 1_795_000_000_000


def test_the_same_seed_gives_the_same_readings():
    assert list(readings(600, 4, UNTIL_MS)) == list(readings(600, 4, UNTIL_MS))
    assert len(list(readings(600, 4, UNTIL_MS))) == 600


def test_all_that_goes_wrong_is_there():
    made = list(readings(4_000, 1, UNTIL_MS))
    marks = Counter(event.mark for event in made)
    assert marks["silence"] > 3
    assert marks["outlier"] > 3
    good = [json.loads(event.value or b"") for event in made if not event.reason]
    numbers = [(each["device"], each["seq"]) for each in good]
    assert len(set(numbers)) < len(numbers)
    times = [each["at"] for each in good if each["device"] == good[0]["device"]]
    assert times != sorted(times)
    written_ms = [event.timestamp_ms for event in made]
    assert written_ms == sorted(written_ms)
