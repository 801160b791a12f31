"""Pages and sizes survive on their own, within the bounds of the model."""

from __future__ import annotations

import random

from moldau.platform.simulated.disk_contents import PAGE_SIZE, Contents
from moldau.platform.simulated.disk_nodes import FileNode
from moldau.platform.simulated.disk_versions import contents_at, page_versions, surviving_contents


def node_with(*pages: bytes) -> FileNode:
    contents = Contents()
    for number, letter in enumerate(pages):
        contents.write(number * PAGE_SIZE, letter * PAGE_SIZE)
    return FileNode(1, contents, 0)


def letters(node: FileNode, number: int, size_version: int) -> bytes:
    return b"".join(page[:1] for page in page_versions(node, number, size_version))


def outcomes(node: FileNode, draws: int = 400) -> set[bytes]:
    chance = random.Random(1)
    survivors = (surviving_contents(node, chance) for _ in range(draws))
    return {contents.read(0, contents.size) for contents in survivors}


def test_an_overwritten_page_is_any_of_its_versions():
    node = node_with(b"a")
    node.write(1, 0, b"b" * PAGE_SIZE)
    node.write(2, 0, b"c" * PAGE_SIZE)
    assert letters(node, 0, 0) == letters(node, 0, 2) == b"abc"


def test_a_page_freed_by_a_cut_that_survived_does_not_come_back():
    node = node_with(b"a", b"b")
    node.resize(1, PAGE_SIZE)
    node.write(2, PAGE_SIZE, b"c" * PAGE_SIZE)
    assert letters(node, 1, 2) == b"\0c"
    assert letters(node, 1, 0) == b"b"


def test_an_append_survives_whole_in_part_or_not_at_all():
    node = node_with(b"a")
    node.write(1, PAGE_SIZE, b"b" * 100)
    seen = outcomes(node)
    old = b"a" * PAGE_SIZE
    assert {old, old + b"b" * 100, old + bytes(100), old + b"b" * 64 + bytes(36)} <= seen
    assert {len(data) for data in seen} == {PAGE_SIZE, PAGE_SIZE + 100}


def test_a_later_page_may_arrive_before_an_earlier_one():
    node = node_with()
    node.write(1, 0, b"a" * PAGE_SIZE)
    node.write(2, PAGE_SIZE, b"b" * PAGE_SIZE)
    assert bytes(PAGE_SIZE) + b"b" * PAGE_SIZE in outcomes(node)


def test_contents_at_a_moment_hold_all_changes_up_to_it():
    node = node_with()
    node.write(3, 0, b"abc")
    node.write(5, 1, b"xy")
    assert contents_at(node, 2).size == 0
    assert contents_at(node, 4).read(0, 9) == b"abc"
    assert contents_at(node, 5).read(0, 9) == b"axy"


def test_what_is_synced_never_varies():
    node = node_with()
    node.write(1, 0, b"abc")
    node.sync()
    assert outcomes(node) == {b"abc"}
