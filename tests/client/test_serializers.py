"""Keys and values into bytes, and back."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from pydantic import BaseModel

from moldau.client.errors import SerializationError
from moldau.client.serializers import Topic, deserializer_of, serializer_of
from moldau.errors import MissingExtraError


@pytest.mark.parametrize(
    ("name", "value", "data"),
    [
        ("bytes", b"x", b"x"),
        ("str", "ü", "ü".encode()),
        ("int", 258, b"\x00\x00\x00\x00\x00\x00\x01\x02"),
        ("int32", -1, b"\xff\xff\xff\xff"),
        ("float", 1.5, b"\x3f\xf8\x00\x00\x00\x00\x00\x00"),
        ("json", {"a": [1, None]}, b'{"a":[1,null]}'),
    ],
)
def test_every_format_goes_both_ways(name, value, data):
    write, read = serializer_of(name), deserializer_of(name)
    assert write is not None
    assert read is not None
    assert (write("t", value), read("t", data)) == (data, value)
    assert write("t", None) is None


@pytest.mark.parametrize(("name", "value"), [("int", "x"), ("json", object()), ("str", 5)])
def test_what_a_format_cannot_write_is_named(name, value):
    write = serializer_of(name)
    assert write is not None
    with pytest.raises(SerializationError, match=f"for t is not {name}"):
        write("t", value)


@pytest.mark.parametrize(("name", "data"), [("int", b"12"), ("json", b"{"), ("str", b"\xff")])
def test_what_a_format_cannot_read_is_named(name, data):
    read = deserializer_of(name)
    assert read is not None
    with pytest.raises(SerializationError, match=f"of t is not {name}"):
        read("t", data)


def test_a_wrong_name_is_answered_with_the_nearest():
    with pytest.raises(SerializationError, match="did you mean 'json'"):
        serializer_of("jsn")
    with pytest.raises(SerializationError, match=r"no format 'yaml'\. There are bytes, str, int"):
        serializer_of("yaml")


def own(topic: str, value: bytes) -> bytes:
    return value


def test_functions_are_taken_as_they_are():
    assert serializer_of(own) is own
    assert deserializer_of(own) is own
    assert serializer_of(None) is deserializer_of(None) is None


async def awaited(topic: str, value: Any) -> bytes:
    return b""


class OfValues:
    async def __call__(self, topic: str, value: Any) -> bytes:
        return b""


class OfRecords:
    async def serialize(self, topic: str, value: Any) -> bytes:
        return b""

    async def deserialize(self, topic: str, data: bytes, headers: object) -> Any:
        return None


@pytest.mark.parametrize("given", [awaited, partial(awaited, "t"), OfValues(), OfRecords()])
def test_a_coroutine_function_is_refused_with_what_to_do_instead(given):
    with pytest.raises(SerializationError, match=r"a coroutine function.*`await` before `send`"):
        serializer_of(given)
    with pytest.raises(
        SerializationError, match=r"a coroutine function.*`await` what was returned"
    ):
        deserializer_of(given)


def test_msgpack_is_used_where_it_is_installed(monkeypatch):
    fake = SimpleNamespace(packb=lambda value: b"packed", unpackb=lambda data: "unpacked")
    monkeypatch.setitem(sys.modules, "msgpack", fake)
    write = serializer_of("msgpack")
    assert write is not None
    assert write("t", 1) == b"packed"
    monkeypatch.setitem(sys.modules, "msgpack", None)
    with pytest.raises(MissingExtraError, match="msgpack"):
        serializer_of("msgpack")


@dataclass
class Order:
    number: int
    what: str = "tea"


class Sale(BaseModel):
    price: float


@pytest.mark.parametrize("value", [Order(1, "milk"), Sale(price=2.5)])
def test_a_topic_writes_and_reads_its_type(value):
    topic = Topic("t", type(value))
    assert topic.load(topic.dump(value)) == value


def test_a_topic_reads_what_has_more_fields_than_its_type():
    assert Topic("t", Order).load(b'{"number": 3, "added": true}') == Order(3)


def test_a_topic_refuses_what_is_not_of_its_type():
    topic = Topic("orders", Order)
    with pytest.raises(SerializationError, match="orders has values of Order"):
        topic.dump({"number": 1})  # type: ignore[arg-type]
    for data in (b"[]", b"{}", b"x"):
        with pytest.raises(SerializationError, match="is no Order"):
            topic.load(data)


class Struct(msgspec.Struct):
    number: int
    what: str = "tea"


def test_structs_of_msgspec_are_written_and_read_by_it():
    topic = Topic("t", Struct)
    assert topic.dump(Struct(3)) == b'{"number":3,"what":"tea"}'
    assert topic.load(b'{"number": 3, "what": "milk", "added": 1}') == Struct(3, "milk")
    for data in (b'{"number": "3"}', b"{}", b"x"):
        with pytest.raises(SerializationError, match="a record of t is no Struct"):
            topic.load(data)


def test_a_value_that_json_cannot_say_is_named():
    with pytest.raises(SerializationError, match="for t is no JSON"):
        Topic("t", object).dump(object())


def test_the_parts_of_a_dataclass_are_read_by_their_types():
    topic = Topic("orders", Whole)
    assert topic.load(topic.dump(Whole(1, [Line("tea", 2)]))) == Whole(1, [Line("tea", 2)])
    with pytest.raises(SerializationError, match=r"lines: \[0\]: count: '2' is no int"):
        topic.load(b'{"number": 1, "lines": [{"what": "tea", "count": "2"}]}')


def test_a_record_without_a_value_is_nothing_to_be_read():
    nothing: Any = None
    for kind in (Order, Sale, Struct):
        with pytest.raises(SerializationError, match="a record of t has no value"):
            Topic("t", kind).load(nothing)


def test_values_of_a_topic_have_a_class():
    for wrong in (list[int], "Order", None):
        with pytest.raises(SerializationError, match="have a class, such as a dataclass"):
            Topic("t", wrong)  # type: ignore[arg-type]


def test_what_pydantic_says_is_one_line():
    class Model(BaseModel):
        number: int
        what: str

    with pytest.raises(SerializationError, match=r"no Model: number: .*; what: Field") as caught:
        Topic("t", Model).load(b'{"number": "x"}')
    assert "\n" not in str(caught.value)


@dataclass
class Line:
    """A part of an order."""

    what: str
    count: int


@dataclass
class Whole:
    """With values that are dataclasses themselves."""

    number: int
    lines: list[Line]


def test_json_of_a_dataclass_is_that_of_its_fields():
    write = serializer_of("json")
    assert write is not None
    made = write("t", Whole(1, [Line("tea", 2)]))
    assert made == b'{"number":1,"lines":[{"what":"tea","count":2}]}'
    with pytest.raises(SerializationError, match="JSON has no type"):
        write("t", Line)


def test_what_is_no_function_is_no_serializer():
    wrong: Any = 5
    with pytest.raises(SerializationError, match="a serializer is a function of a topic"):
        serializer_of(wrong)
    with pytest.raises(SerializationError, match=r"a deserializer is .* and not 5"):
        deserializer_of(wrong)


def test_json_of_a_model_is_what_it_says_itself():
    class Model:
        def model_dump(self, mode: str) -> dict[str, str]:
            return {"mode": mode}

    write = serializer_of("json")
    assert write is not None
    assert write("t", [Model()]) == b'[{"mode":"json"}]'
