"""Which dump a file gets."""

from __future__ import annotations

import pytest

from moldau.broker.log.dump.any_file import DumpOptions, dump_file
from moldau.broker.log.dump.report import Report
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.log.batches import batch
from tests.broker.log.dumped_files import Dumped


@pytest.mark.parametrize("name", ["partition.metadata", "orders", "00000000000000000000.log.swap"])
def test_other_files_have_none(name):
    assert dump_file(SimulatedFiles(), name, DumpOptions(), Report()) is None


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("00000000000000000012.log", "Log starting offset: 12"),
        ("bootstrap.checkpoint", "KRaft bootstrap snapshot"),
        (
            "00000000000000000012-0000000003.checkpoint",
            "Snapshot end offset: 12, epoch: 3",
        ),
    ],
)
def test_logs_and_snapshots_say_what_they_are(name, first):
    dumped = Dumped()
    dumped.put(name, batch(12))
    assert dumped.lines(name)[0] == first
