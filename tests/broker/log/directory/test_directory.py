"""One log directory."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.directory import (
    DirectoryOfflineError,
    DirectoryRefusedError,
    format_directory,
    open_directory,
)
from moldau.broker.log.directory.meta_properties import MetaProperties
from moldau.broker.log.directory.names import TopicPartition
from moldau.errors import CorruptRecordError, DiskFailedError
from moldau.platform.system.files import SystemFiles

CLUSTER = "bW9sZGF1LWFuY2hvci0wMQ"
PROPERTIES = MetaProperties(cluster_id=CLUSTER, node_id=1, directory_id=b"0123456789abcdef")


@pytest.fixture
def path(tmp_path):
    path = str(tmp_path / "data")
    format_directory(SystemFiles(), path, PROPERTIES)
    return path


def opened(path, *, cluster_id=CLUSTER, node_id=1):
    return open_directory(SystemFiles(), path, cluster_id=cluster_id, node_id=node_id)


def test_a_formatted_directory_opens_and_closes(path):
    for _ in range(2):
        directory = opened(path)
        assert directory.properties == PROPERTIES
        assert (directory.is_online, directory.was_clean) == (True, False)
        directory.close()


def test_a_directory_in_use_is_refused(path):
    directory = opened(path)
    with pytest.raises(DirectoryRefusedError, match=r"\.lock: another process.*stop that node"):
        opened(path)
    directory.close()


@pytest.mark.parametrize(
    ("cluster_id", "node_id", "reason"),
    [
        ("other", 1, f"belongs to cluster {CLUSTER}, this node to other; mount the right disk"),
        (CLUSTER, 2, "belongs to node 1, this is node 2; mount the right disk, or correct"),
    ],
)
def test_a_foreign_directory_is_refused_and_unlocked(path, cluster_id, node_id, reason):
    with pytest.raises(DirectoryRefusedError, match=reason):
        opened(path, cluster_id=cluster_id, node_id=node_id)
    opened(path).close()


def test_what_is_not_a_formatted_directory_is_refused(tmp_path):
    with pytest.raises(DirectoryRefusedError, match="no such directory; create and format it"):
        opened(str(tmp_path / "missing"))
    with pytest.raises(DirectoryRefusedError, match=r"meta\.properties: no such file; format"):
        opened(str(tmp_path))
    (tmp_path / "file").touch()
    with pytest.raises(DirectoryRefusedError, match="it is a file; name a directory"):
        opened(str(tmp_path / "file"))


def test_a_corrupt_identity_is_refused(path, tmp_path):
    (tmp_path / "data" / "meta.properties").write_text("version=1\n")
    with pytest.raises(CorruptRecordError, match=r"meta\.properties: cluster\.id or node\.id"):
        opened(path)


def test_formatting_twice_is_refused(path):
    with pytest.raises(DirectoryRefusedError, match="formatted already"):
        format_directory(SystemFiles(), path, PROPERTIES)


def test_a_failure_takes_the_directory_offline_for_good(path):
    directory = opened(path)
    with pytest.raises(DiskFailedError), directory.guard():
        raise DiskFailedError(path, "input/output error")
    assert not directory.is_online
    with (
        pytest.raises(DirectoryOfflineError, match=r"offline since .*input/output"),
        directory.guard(),
    ):
        pytest.fail("an offline directory does no work")
    directory.mark_clean()
    assert directory.take_clean_shutdown() is None
    directory.close()


def test_other_errors_leave_it_online(path):
    directory = opened(path)
    with pytest.raises(CorruptRecordError), directory.guard():
        raise CorruptRecordError("one bad batch")
    assert directory.is_online
    directory.close()


def test_its_partitions_are_listed_by_what_is_to_be_done(path, tmp_path):
    for name in ("orders-0", "orders-1.abc-delete", "lost+found", "strange", "x-1.a-stray"):
        (tmp_path / "data" / name).mkdir()
    directory = opened(path)
    listing = directory.list_partitions()
    assert [found.name for found in listing.partitions] == [
        "orders-0", "orders-1.abc-delete", "x-1.a-stray",
    ]  # fmt: skip
    assert listing.unknown == ("strange",)
    directory.close()


def test_a_clean_stop_is_seen_by_the_next_start_alone(path):
    first = opened(path)
    first.mark_clean(57)
    assert first.take_clean_shutdown() == 57
    assert first.was_clean
    assert first.take_clean_shutdown() is None
    first.close()


def test_each_checkpoint_has_its_file(path, tmp_path):
    directory = opened(path)
    for checkpoint in (
        directory.recovery_points,
        directory.high_watermarks,
        directory.log_start_offsets,
        directory.cleaner_offsets,
    ):
        checkpoint.write({TopicPartition("orders", 0): 5})
    directory.close()
    written = {file.name for file in (tmp_path / "data").glob("*-checkpoint")}
    assert written == {
        "recovery-point-offset-checkpoint",
        "replication-offset-checkpoint",
        "log-start-offset-checkpoint",
        "cleaner-offset-checkpoint",
    }
