"""A file remembers what is durable and what changed since."""

from __future__ import annotations

from moldau.platform.simulated.disk_contents import PAGE_SIZE, Contents
from moldau.platform.simulated.disk_nodes import CHANGES_MAX, FileNode


def test_only_a_sync_makes_changes_durable():
    node = FileNode(1, Contents(), 0)
    node.write(1, 0, b"abc")
    assert node.durable.read(0, 10) == b""
    node.sync()
    assert node.durable.read(0, 10) == b"abc"
    assert node.changes == []


def test_durable_contents_follow_cuts_and_regrowth():
    node = FileNode(1, Contents(), 0)
    node.write(1, 0, b"x" * 3 * PAGE_SIZE)
    node.resize(2, 100)
    node.resize(3, 2 * PAGE_SIZE)
    node.sync()
    assert node.durable.read(0, 99999) == node.contents.read(0, 99999)
    assert node.durable.read(0, 101) == b"x" * 100 + b"\0"


def test_after_a_failed_sync_nothing_becomes_durable():
    node = FileNode(1, Contents(), 0)
    node.write(1, 0, b"abc")
    node.has_failed = True
    node.sync()
    assert node.durable.size == 0


def test_the_oldest_change_becomes_durable_when_there_are_too_many():
    node = FileNode(1, Contents(), 0)
    for moment in range(CHANGES_MAX + 1):
        node.write(moment, moment, b"x")
    assert len(node.changes) == CHANGES_MAX
    assert node.durable.size == 1
