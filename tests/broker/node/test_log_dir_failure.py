"""Which failures of disks a node survives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.node.log_dir_failure import LogDirFailureError, check_log_dirs


def storage_of(**reasons):
    """Directories by path, each with the reason why it is offline; the first has the metadata."""
    opened = [
        SimpleNamespace(path=path, offline_reason=reason, is_online=reason is None)
        for path, reason in reasons.items()
    ]
    directories = SimpleNamespace(opened=opened)
    storage: Any = SimpleNamespace(metadata_directory=opened[0].path, directories=directories)
    return storage


def test_a_node_goes_on_with_the_disks_that_are_left():
    storage = storage_of(a=None, b="the disk is full", c=None)
    check_log_dirs(storage, storage.directories.opened[1])


@pytest.mark.parametrize(
    ("reasons", "failed", "sentence"),
    [
        ({"a": "gone", "b": None}, 0, r"log directory a has failed \(gone\), and the metadata log"),
        ({"a": "gone", "b": "full"}, 1, r"log directory b has failed \(full\), and no other"),
    ],
)
def test_without_metadata_or_any_log_it_halts_and_says_why(reasons, failed, sentence):
    storage = storage_of(**reasons)
    with pytest.raises(LogDirFailureError, match=sentence):
        check_log_dirs(storage, storage.directories.opened[failed])
