"""Messages by a registered file; their indexes as confluent-kafka writes them."""

from __future__ import annotations

import pytest

from moldau.schemas.data_errors import DataError
from moldau.schemas.protobuf.data import indexes_bytes, indexes_of, read_indexes
from moldau.schemas.protobuf.language import PROTOBUF_LANGUAGE

TEXT = """syntax = "proto3"; package shop;
message Order { int64 id = 1; Line line = 2; message Other {} message Line { string what = 1; } }
message Bill { int64 cents = 1; }"""


def data(text=TEXT):
    schema = PROTOBUF_LANGUAGE.parse(text, {})
    return schema.encoder(), schema.decoder()


def test_a_mapping_is_a_message_of_the_first_kind():
    encode, decode = data()
    found = encode({"id": 7, "line": {"what": "tea"}})
    assert found.indexes == b"\0"
    message = decode(found.indexes + found.payload)
    assert (message.id, message.line.what) == (7, "tea")


@pytest.mark.parametrize(
    ("path", "written"), [((0,), "00"), ((1,), "0202"), ((0, 1), "040002"), ((64,), "028001")]
)
def test_indexes_are_zigzag_and_the_first_is_one_byte(path, written):
    assert indexes_bytes(path).hex() == written
    assert read_indexes(bytes.fromhex(written) + b"x") == (path, len(written) // 2)


def test_a_nested_message_is_found_by_its_path():
    encode, decode = data()
    line = decode(b"\x04\x00\x02")
    assert line.DESCRIPTOR.full_name == "shop.Order.Line"
    assert indexes_of(line.DESCRIPTOR) == (0, 1)
    line.what = "tea"
    found = encode(line)
    assert decode(found.indexes + found.payload) == line


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (b"", "end too early"),
        (b"\x04\x00", "end too early"),
        (b"\x01", "-1 indexes"),
        (b"\x02\x06", "no message"),
        (b"\x00\xff", "no shop.Order"),
    ],
)
def test_bytes_that_are_no_message_are_refused(written, sentence):
    with pytest.raises(DataError, match=sentence):
        data()[1](written)


def test_the_name_of_a_record_is_that_of_its_own_message():
    schema = PROTOBUF_LANGUAGE.parse(TEXT, {})
    for path, name in (((0,), "shop.Order"), ((1,), "shop.Bill"), ((0, 1), "shop.Order.Line")):
        data = indexes_bytes(path)
        assert schema.record_name_in(data + b"any") == name
        assert schema.record_name_of(schema.decoder()(data)) == name
    assert schema.record_name_of({"id": 1}) == schema.record_name == "shop.Order"
    bare = PROTOBUF_LANGUAGE.parse("message A { message B {} }", {})
    assert bare.record_name_in(indexes_bytes((0, 0))) == "A.B"
    with pytest.raises(DataError, match="no message"):
        schema.record_name_of("order")
    with pytest.raises(DataError, match=r"has no message \[0, 2\]"):
        schema.record_name_in(indexes_bytes((0, 2)))


@pytest.mark.parametrize("value", [{"cents": 1}, {"id": "x"}, "order"])
def test_values_that_are_no_message_are_refused(value):
    with pytest.raises(DataError):
        data()[0](value)


def test_a_required_field_has_to_be_there():
    encode, _ = data('syntax = "proto2"; message A { required int32 a = 1; }')
    with pytest.raises(DataError, match="missing required fields: a"):
        encode({})
