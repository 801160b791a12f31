"""Java's clients, with topics deleted, groups changed and transactions ended from under them."""

from __future__ import annotations

import pytest

from tests.judges.java_programs import run_java

pytestmark = [pytest.mark.judge, pytest.mark.long]

RESULTS_OF_KAFKA = {
    "recreated, classic": "50, 50 of 4",
    "recreated, consumer": "50, 50 of 4",
    "new topic of a pattern": "1, 3",
    "same instance, classic": "FencedInstanceIdException",
    "same instance, consumer": "UnreleasedInstanceIdException",
    "migrated": "1+1, 2",
    "slow poll": "50, CommitFailedException, 50",
    "trimmed": "10",
    "aborted by the admin": "committed",
    "fenced by the admin": "ProducerFencedException",
    "offsets of a stranger": "CommitFailedException",
}
"""What Apache Kafka 4.3.1 lets the same program print."""


def test_what_is_taken_from_under_a_client_ends_as_with_apache_kafka(kafka_libs, place, topic):
    run = run_java(kafka_libs, "MeetTrouble", place, topic)
    lines = (line.split(": ", 1) for line in run.stdout.splitlines() if ": " in line)
    assert {name: result for name, result in lines if name in RESULTS_OF_KAFKA} == RESULTS_OF_KAFKA
