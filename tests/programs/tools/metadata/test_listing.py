"""Names stand in columns where a terminal has room for them."""

from __future__ import annotations

from moldau.programs.tools.metadata.globs import find
from moldau.programs.tools.metadata.listing import columns_of, listing_of

NAMES = ["one", "three", "five", "seven", "nine"]


def test_names_go_down_the_first_column_and_then_down_the_second():
    assert list(columns_of(NAMES, 0)) == NAMES
    assert list(columns_of(NAMES, 24)) == ["one    five   nine", "three  seven  "]
    assert list(columns_of(NAMES, 80)) == ["one  three  five  seven  nine"]
    assert list(columns_of([], 80)) == []


def test_files_come_before_directories_and_several_directories_have_heads(root):
    found = find(root, "/image", "producerIds/*") + find(root, "/image", "{producerIds,acls}")
    assert list(listing_of(found, 0)) == [
        "nextProducerId",
        "",
        "acls:",
        "byId",
        "",
        "producerIds:",
        "nextProducerId",
    ]
