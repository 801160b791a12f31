"""franz-go, sarama and segmentio's kafka-go, unmodified, take a node of ours for Apache Kafka."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.judge

SECONDS_MAX = 60
CLIENTS = ("franz", "sarama", "segmentio")
ADMINISTERED: dict[str, Any] = {
    "exists": True,
    "partitions": 6,
    "retention": "3600000",
    "messages": 300,
    "start": 2,
    "committed": 7,
    "state": "Empty",
    "group_gone": True,
    "brokers": 1,
    "sized": True,
    "gone": True,
}
"""What its admin client has found and done."""
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def outcome_of(program: Path, *words: str) -> dict[str, Any]:
    run = subprocess.run([program, *words], capture_output=True, text=True, timeout=SECONDS_MAX)
    assert run.returncode == 0, run.stderr
    outcome: dict[str, Any] = json.loads(run.stdout)
    return outcome


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("client", CLIENTS)
def test_messages_and_headers_come_back_in_every_codec(go_program, place, topic, client, codec):
    outcome = outcome_of(go_program, place, client, "codec", topic, codec)
    assert outcome == {"same": True, "headers": True}


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_a_second_member_takes_partitions_and_nothing_is_read_twice(
    go_program, place, topic, protocol
):
    outcome = outcome_of(go_program, place, "franz", "rebalance", topic, protocol)
    assert outcome == {"early": True, "late": True, "shared": True}


def test_a_copy_in_transactions_of_a_group_has_every_message_once(go_program, place, topic):
    outcome = outcome_of(go_program, place, "franz", "exactlyonce", topic)
    assert outcome == {"same": True, "aborted": True, "lag": 0}


def test_what_a_share_group_gives_back_comes_again(go_program, place, topic):
    outcome = outcome_of(go_program, place, "franz", "share", topic)
    assert outcome == {"same": True, "released": True}


def test_the_broker_resolves_the_pattern_of_a_consumer_group(go_program, place, topic):
    assert outcome_of(go_program, place, "franz", "regex", topic) == {"same": True}


def test_the_admin_of_franz_makes_changes_describes_and_deletes(go_program, place, topic):
    assert outcome_of(go_program, place, "franz", "admin", topic) == ADMINISTERED


def test_sarama_reads_what_was_committed_and_not_what_was_aborted(go_program, place, topic):
    outcome = outcome_of(go_program, place, "sarama", "transactional", topic)
    assert outcome == {"same": True, "headers": True}


def test_two_members_of_sarama_own_half_each(go_program, place, topic):
    outcome = outcome_of(go_program, place, "sarama", "group", topic)
    assert outcome == {"same": True, "owned": [2, 2]}


def test_the_admin_of_sarama_adds_partitions_describes_and_deletes(go_program, place, topic):
    outcome = outcome_of(go_program, place, "sarama", "admin", topic)
    assert outcome == {"partitions": 6, "brokers": 1, "controlled": True, "gone": True}


def test_two_readers_of_segmentio_have_every_message(go_program, place, topic):
    assert outcome_of(go_program, place, "segmentio", "group", topic) == {"distinct": 300}


def test_the_admin_of_segmentio_lists_offsets_and_deletes(go_program, place, topic):
    outcome = outcome_of(go_program, place, "segmentio", "admin", topic)
    assert outcome == {"listed": 2, "gone": True}
