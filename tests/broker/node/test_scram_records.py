"""Users of a new cluster."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.node.format_error import FormatError
from moldau.broker.node.scram_records import scram_records
from moldau.platform.simulated.randomness import SeededRandom

ALICE = "SCRAM-SHA-256=[name=alice,password=secret]"
STRONGER = "SCRAM-SHA-512=[name=alice,password=secret]"


def test_a_user_has_one_credential_for_each_mechanism():
    records: Any = scram_records([ALICE, STRONGER], SeededRandom(1))
    assert [(record.name, record.mechanism) for record in records] == [("alice", 1), ("alice", 2)]
    with pytest.raises(FormatError, match="alice has two credentials for SCRAM-SHA-256"):
        scram_records([ALICE, ALICE], SeededRandom(1))
