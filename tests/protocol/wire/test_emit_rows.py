"""Arrays of structs that look alike: many are read at once, to the same result as one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import DecodeError
from moldau.protocol.messages.index import all_messages
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.emit_rows import LENGTH_MAX, ROWS_MIN, SHAPES_MAX, WINDOW, Rows, has_rows
from moldau.protocol.wire.layout import Layout, layout_of
from moldau.protocol.wire.schema import structs_of
from moldau.protocol.wire.varint import encode_uvarint
from tests.protocol.wire.samples import SOME_ID, Row, Table, entry

AMPLE = 1 << 30
VERSIONS = list(Table.VERSIONS.each())
LOOKS: list[dict[str, object]] = [
    {},
    {"replicas": []},
    {"replicas": [-1] * LENGTH_MAX},
    {"replicas": [5] * (LENGTH_MAX + 1)},
    {"name": ""},
    {"name": "Milena"},
    {"name": "a name that no shape holds"},
    {"name": "x" * 200},
    {"ids": []},
    {"ids": [SOME_ID, bytes(16)]},
    {"key": b"!"},
    {"details": []},
    {"details": [Table.Entry.Detail(text="one")]},
]


def read(layout: Layout, data: bytes, count: int, limit: int = AMPLE):
    """What is read at once from the bytes of that many structs, and where it ends."""
    items: list[object] = []
    step, left, position, _ = Rows(layout, "entries").read(
        items, data, 0, len(data), count, 0, limit
    )
    assert len(items) + step + left == count
    return items, position


def body(version: int, entries: list[Table.Entry]) -> bytes:
    """The entries without the count before and the tags behind them."""
    wire = encode(Table(entries=entries), version)
    if version == 0:
        return wire[4:]
    return wire[len(encode_uvarint(len(entries) + 1)) : -1]


def entries_layout(version: int) -> Layout:
    return layout_of(Table, version).inner(Table.Entry)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_alike_structs_come_back_as_they_were_written(version, look):
    table = Table(entries=[entry(i, **look) for i in range(3 * WINDOW)])
    assert decode(Table, version, encode(table, version), per_byte=64) == table


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("look", [look for look in LOOKS if "no shape" not in str(look)][:3])
def test_a_whole_array_of_one_shape_is_read_at_once(version, look):
    entries = [entry(i, name="Max", ids=[SOME_ID], **look) for i in range(2 * WINDOW)]
    data = body(version, entries)
    assert read(entries_layout(version), data, len(entries)) == (entries, len(data))


@given(st.lists(st.tuples(st.sampled_from(LOOKS), st.integers(1, 40)), max_size=8))
def test_whatever_the_shapes_alternate_between_the_result_is_the_same(runs):
    entries = [entry(i, **look) for look, length in runs for i in range(length)]
    for version in VERSIONS:
        wire = encode(Table(entries=entries), version)
        assert decode(Table, version, wire, per_byte=64) == Table(entries=entries)


@pytest.mark.parametrize("odd", [0, 1, ROWS_MIN, WINDOW - 1, WINDOW, 299])
def test_reading_stops_before_the_struct_that_is_not_alike(odd):
    entries = [entry(i) for i in range(300)]
    entries[odd].unknown_tags = ((9, b"odd"),)
    items, _ = read(entries_layout(1), body(1, entries), 300)
    at_once = odd if odd >= ROWS_MIN else 0
    if odd - WINDOW in range(ROWS_MIN):
        at_once = WINDOW
    assert items == entries[:at_once]


def test_after_an_odd_struct_many_are_read_at_once_again():
    rows = Rows(entries_layout(1), "entries")
    entries = [entry(i, replicas=[1] * (1 + (i == 0))) for i in range(100)]
    data = body(1, entries)
    step, left, _, _ = rows.read([], data, 0, len(data), 100, 0, AMPLE)
    assert (step, left) == (ROWS_MIN, 100 - ROWS_MIN)
    start = len(body(1, entries[:ROWS_MIN]))
    items: list[object] = []
    assert rows.read(items, data, start, len(data), left, 0, AMPLE)[:2] == (0, 0)
    assert items == entries[ROWS_MIN:]


def test_structs_that_do_not_fit_the_buffer_are_left_for_those_who_say_so():
    entries = [entry(i) for i in range(ROWS_MIN + 1)]
    wire = encode(Table(entries=entries), 1)
    for size in range(len(wire)):
        with pytest.raises(DecodeError):
            decode(Table, 1, wire[:size])


def test_null_where_it_is_not_allowed_is_found_among_many():
    data = body(1, [entry()] * 50).replace(b"\4\0\0\0\1", b"\0\0\0\0\1")
    assert read(entries_layout(1), data, 50) == ([], 0)


def test_numbers_in_alike_structs_are_charged_before_they_are_built():
    wire = encode(Table(entries=[entry(replicas=[7] * LENGTH_MAX)] * 5000), 1)
    with pytest.raises(DecodeError, match="entries would take more memory than"):
        decode(Table, 1, wire, per_byte=1)


def test_lists_are_not_shared_between_structs():
    table = decode(Table, 1, encode(Table(entries=[entry()] * 50), 1))
    table.entries[0].replicas.append(4)
    assert table.entries[1].replicas == [1, 2, 3]


def test_a_frame_of_many_shapes_compiles_a_bounded_number():
    rows = Rows(entries_layout(1), "entries")
    for first in range(LENGTH_MAX + 1):
        for second in range(LENGTH_MAX + 1):
            look = entry(replicas=[0] * first, name="x" * second)
            data = body(1, [look] * ROWS_MIN)
            rows.read([], data, 0, len(data), ROWS_MIN, 0, AMPLE)
    assert len(rows.shapes) == SHAPES_MAX


def test_shapes_differ_by_all_bytes_of_a_length():
    data = bytearray(body(0, [entry(i) for i in range(50)]))
    data[4] = 1
    assert read(entries_layout(0), bytes(data), 50) == ([], 0)


def test_structs_of_fixed_width_have_one_shape():
    cells = [Row.Cell(left=i, right=-i) for i in range(WINDOW + 5)]
    for version in (0, 1):
        wire = encode(Row(cells=cells), version)
        assert decode(Row, version, wire) == Row(cells=cells)
    assert Rows(layout_of(Row, 1).inner(Row.Cell), "cells").even is not None


def test_views_of_the_frame_belong_to_no_shape():
    entries = [entry(i, value=b"") for i in range(50)]
    assert read(entries_layout(2), body(2, entries), 50) == ([], 0)


def test_nearly_every_struct_of_the_protocol_can_be_read_in_rows():
    layouts = [
        layout_of(message, message.VERSIONS.high).inner(cls)
        for message in all_messages()
        for cls in structs_of(message)
        if cls is not message and message.VERSIONS
    ]
    assert sum(map(has_rows, layouts)) / len(layouts) > 0.9
