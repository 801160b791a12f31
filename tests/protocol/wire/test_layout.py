"""What one version of a struct looks like."""

from __future__ import annotations

from moldau.protocol.wire.layout import layout_of
from tests.protocol.wire.samples import Letter, Numbers, Row


def names(fields) -> list[str]:
    return [field.name for field in fields]


def test_fields_are_present_tagged_or_absent():
    flexible = layout_of(Letter, 2)
    assert names(flexible.present) == ["sender", "reply_to", "urgency", "stamps", "lines"]
    assert names(flexible.tagged) == ["colour", "route"]
    assert names(flexible.absent) == ["enclosure", "postscript"]


def test_the_shortest_value_counts_every_prefix():
    assert layout_of(Letter, 0).least_bytes == 2 + 4 + 4
    assert layout_of(Letter, 2).least_bytes == 1 + 1 + 1 + 1 + 1 + 1
    assert layout_of(Numbers, 0).least_bytes == 46
    assert layout_of(Numbers, 1).least_bytes == 47


def test_only_structs_without_variable_parts_are_fixed():
    assert layout_of(Row, 0).inner(Row.Cell).is_fixed
    assert not layout_of(Letter, 0).inner(Letter.Line).is_fixed


def test_memory_grows_with_the_fields():
    row, letter = layout_of(Row, 0), layout_of(Letter, 0)
    assert row.inner(Row.Cell).most_memory < letter.inner(Letter.Line).most_memory
