"""Messages to bytes and back: the calls that all packages use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import DecodeError, EncodeError
from moldau.protocol.wire.compile import decode, decode_prefix, encode, encode_parts
from tests.protocol.wire.samples import SOME_ID, Letter, Numbers, Row, letter

NUMBERS = Numbers(
    flag=True,
    tiny=-1,
    small=-2,
    port=65535,
    plain=-3,
    count=2**32 - 1,
    large=-4,
    ratio=0.5,
    id=SOME_ID,
)


def test_fixed_widths_lie_as_kafka_lays_them():
    assert encode(NUMBERS, 0) == (
        b"\x01\xff\xff\xfe\xff\xff\xff\xff\xff\xfd\xff\xff\xff\xff"
        b"\xff\xff\xff\xff\xff\xff\xff\xfc\x3f\xe0\0\0\0\0\0\0" + SOME_ID
    )


def test_old_strings_and_arrays_have_wide_lengths():
    assert encode(letter(), 0) == b"\0\x06Milena" + b"\0\0\0\2\0\0\0\1\0\0\0\2" + b"\0\0\0\0"


def test_compact_strings_and_arrays_have_varint_lengths_one_too_high():
    assert encode(letter(), 2) == b"\x07Milena\0\3\3\0\0\0\1\0\0\0\2\1\0"


def test_tagged_fields_are_written_by_tag_and_only_where_they_differ():
    wire = encode(letter(route=[7], colour="red"), 2)
    assert wire.endswith(b"\2\0\4\4red\1\5\2\0\0\0\7")


@pytest.mark.parametrize("version", Letter.VERSIONS.each())
def test_every_version_reads_what_it_wrote(version):
    line = Letter.Line(number=1, text="Dear", words=["a", ""])
    written = letter(lines=[line, line])
    assert decode(Letter, version, encode(written, version)) == written


@given(st.integers(0, 20_000))
def test_lengths_of_any_size_are_read_back(size):
    written = letter(sender="é" * size if size < 16_000 else "x" * size, stamps=[size] * size)
    for version in (1, 2):
        assert decode(Letter, version, encode(written, version)) == written


def test_fields_outside_a_version_hold_their_default():
    read = decode(Letter, 0, encode(letter(urgency=9), 0))
    assert (read.urgency, read.reply_to, read.colour, read.postscript) == (3, None, "white", None)


def test_a_value_that_the_version_lacks_is_refused_unless_it_is_ignorable():
    encode(letter(urgency=9), 0)
    with pytest.raises(EncodeError, match="reply_to is set, but version 0 does not have it"):
        encode(letter(reply_to="Prague"), 0)


def test_nullable_structs_have_a_mark_before_them():
    with_one = encode(letter(postscript=Letter.Postscript(text="!")), 4)
    assert encode(letter(), 4).endswith(b"\xff\0")
    assert with_one.endswith(b"\1\2!\0\0")
    assert decode(Letter, 4, with_one).postscript == Letter.Postscript(text="!")


def test_unknown_tagged_fields_are_kept_and_written_back():
    wire = encode(letter(), 2)[:-1] + b"\2\5\1x\7\0"
    read = decode(Letter, 2, wire)
    assert read.unknown_tags == ((5, b"x"), (7, b""))
    assert encode(read, 2) == wire


def test_rows_with_tagged_fields_are_read_the_slow_way_to_the_same_result():
    cells = [Row.Cell(left=i, right=i * i) for i in range(5)]
    plain = Row(cells=cells)
    assert decode(Row, 1, encode(plain, 1)) == plain
    cells[3].unknown_tags = ((9, b"odd"),)
    assert decode(Row, 1, encode(plain, 1)) == plain


def test_large_records_are_parts_of_their_own_and_never_copied():
    records = memoryview(bytearray(10_000))
    before, middle, after = encode_parts(letter(enclosure=records), 3)
    assert middle is records
    frame = b"".join((before, middle, after))
    taken = decode(Letter, 3, frame).enclosure
    assert isinstance(taken, memoryview)
    assert taken.obj is frame


def test_bytes_left_behind_are_an_error_unless_a_prefix_was_asked_for():
    wire = encode(letter(), 0)
    with pytest.raises(DecodeError, match="2 bytes are left behind Letter v0"):
        decode(Letter, 0, wire + b"..")
    assert decode_prefix(Letter, 0, b"!" + wire + b"..", 1) == (letter(), 1 + len(wire))


@pytest.mark.parametrize("version", [0, 2, 3])
def test_every_truncation_is_a_decode_error(version):
    wire = encode(letter(lines=[Letter.Line(number=1, text="a", words=["b"])]), version)
    for size in range(len(wire)):
        with pytest.raises(DecodeError):
            decode(Letter, version, wire[:size])


def test_a_count_beyond_the_remaining_bytes_is_refused_before_it_is_used():
    with pytest.raises(DecodeError, match="stamps announces 2147483647 elements where 0 bytes"):
        decode(Letter, 0, b"\0\0\x7f\xff\xff\xff")


def test_null_where_it_is_not_allowed_is_refused():
    with pytest.raises(DecodeError, match="sender is null"):
        decode(Letter, 0, b"\xff\xff")
    with pytest.raises(EncodeError, match="stamps is null"):
        encode(letter(stamps=None), 0)


def test_a_frame_cannot_buy_more_memory_than_it_pays_for():
    count = 500_000
    lines = b"\0\0\0\0\0\0" + count.to_bytes(4, "big") + bytes(10 * count)
    with pytest.raises(DecodeError, match="lines would take more memory"):
        decode(Letter, 0, lines, per_byte=8)
    assert len(decode(Letter, 0, lines, per_byte=64).lines) == count


def test_malformed_text_is_replaced_as_java_does():
    assert decode(Letter, 0, b"\0\1\xff\0\0\0\0\0\0\0\0").sender == "�"


@pytest.mark.parametrize(
    ("changes", "version"),
    [({"sender": 5}, 0), ({"stamps": [2**40]}, 0), ({"sender": "\ud800"}, 2), ({"stamps": 3}, 2)],
)
def test_values_that_fit_no_type_are_encode_errors(changes, version):
    with pytest.raises(EncodeError, match=f"Letter v{version}"):
        encode(letter(**changes), version)


def test_a_version_that_a_message_lacks_is_an_error_of_its_own():
    with pytest.raises(EncodeError, match="Letter has versions 0-4, not 5"):
        encode(letter(), 5)
    with pytest.raises(DecodeError, match="Letter has versions 0-4, not 5"):
        decode(Letter, 5, b"")
