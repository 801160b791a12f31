"""Ends of logs and names of snapshots."""

from moldau.broker.quorum.log_view import LogEnd, SnapshotId


def test_ends_are_compared_by_epoch_first():
    assert LogEnd(2, 5) > LogEnd(1, 100)
    assert LogEnd(2, 5) < LogEnd(2, 6)


def test_a_snapshot_is_named_as_its_file_is():
    assert str(SnapshotId(120, 3)) == "00000000000000000120-0000000003"
