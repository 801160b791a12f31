"""One offset for each partition."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.checkpoint_text import CorruptCheckpointError
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.directory.offset_checkpoint import OffsetCheckpoint
from moldau.platform.system.files import SystemFiles

OFFSETS = {TopicPartition("orders", 1): 0, TopicPartition("__consumer_offsets", 12): 2**40}


@pytest.fixture
def checkpoint(tmp_path):
    return OffsetCheckpoint(SystemFiles(), str(tmp_path / "checkpoint"))


def test_the_file_is_kafkas(checkpoint, tmp_path):
    checkpoint.write(OFFSETS)
    text = (tmp_path / "checkpoint").read_text()
    assert text == f"0\n2\norders 1 0\n__consumer_offsets 12 {2**40}\n"
    assert checkpoint.read() == OFFSETS


def test_a_missing_file_knows_nothing(checkpoint):
    assert checkpoint.read() == {}
    assert checkpoint.read_or_forget() == ({}, None)


@pytest.mark.parametrize("entry", ["orders 1", "orders -1 0", " 1 0", "a b 1 0", "orders x 0"])
def test_a_malformed_entry_is_refused_or_the_whole_file_forgotten(checkpoint, tmp_path, entry):
    (tmp_path / "checkpoint").write_text(f"0\n1\n{entry}\n")
    with pytest.raises(CorruptCheckpointError, match="malformed entry"):
        checkpoint.read()
    offsets, reason = checkpoint.read_or_forget()
    assert offsets == {}
    assert reason is not None
    assert "malformed entry" in reason
