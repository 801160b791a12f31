"""kafkajs, the client for Node.js, unmodified, takes a node of ours for Apache Kafka."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.judge

SCENARIOS = Path(__file__).parent / "javascript" / "kafkajs_scenarios.js"
SECONDS_MAX = 60
ADMINISTERED: dict[str, Any] = {
    "made": True,
    "partitions": 4,
    "retention": "3600000",
    "brokers": 1,
    "offsets": ["0", "0", "0", "0"],
    "grouped": True,
    "gone": True,
}
"""What the administrator's scenario ends with on one node."""


def outcome_of(kafkajs: Path, place: str, *words: str) -> dict[str, Any]:
    run = subprocess.run(
        ["node", str(SCENARIOS), place, *words],
        env={**os.environ, "NODE_PATH": str(kafkajs), "KAFKAJS_NO_PARTITIONER_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )
    assert run.returncode == 0, run.stderr
    outcome: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return outcome


@pytest.mark.parametrize("codec", ["None", "GZIP", "Snappy", "LZ4", "ZSTD"])
def test_messages_and_headers_come_back_in_every_codec(kafkajs, place, topic, codec):
    outcome = outcome_of(kafkajs, place, "codec", topic, codec)
    assert outcome == {"same": True, "headers": True}


def test_an_idempotent_producer_is_never_refused(kafkajs, place, topic):
    outcome = outcome_of(kafkajs, place, "idempotent", topic)
    assert set(outcome["errors"]) == {0}
    assert outcome["count"] == 100


def test_only_what_was_committed_is_read_and_only_its_offsets_stay(kafkajs, place, topic):
    outcome = outcome_of(kafkajs, place, "transactional", topic)
    assert outcome == {"fates": ["commit"] * 5, "committed": "3"}


def test_two_members_share_what_one_had_and_nothing_is_read_twice(kafkajs, place, topic):
    outcome = outcome_of(kafkajs, place, "rebalance", topic)
    assert outcome == {"early": 50, "late": 200, "total": 200, "shared": True}


def test_its_admin_makes_changes_describes_and_deletes(kafkajs, place, topic):
    outcome = outcome_of(kafkajs, place, "admin", topic)
    assert outcome == ADMINISTERED
