"""How keys and values become bytes, and bytes become keys and values.

A serializer is a function of the topic and the value, or the name of one of these:

    bytes   as they are; text as UTF-8
    str     text as UTF-8
    int     eight bytes, big-endian, as Java's LongSerializer; `int32` has four
    float   eight bytes, as Java's DoubleSerializer
    json    JSON in UTF-8
    msgpack if that package is installed

Java's classes for these may be named too, such as org.apache.kafka.common.serialization's.

None stays None both ways: a record without a value deletes its key.

Nothing awaits them, in no client: a coroutine function is refused. What reads with `await`, as one
that asks a registry on the loop does, is called with what the client returned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from inspect import iscoroutinefunction
from struct import Struct as Packer
from struct import error as PackError
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, get_origin

from moldau.client.arguments.records import bytes_of
from moldau.client.errors import SerializationError
from moldau.client.settings.client import Servers
from moldau.config.nearest import nearest
from moldau.errors import MissingExtraError

__all__ = [
    "AWAIT_AFTER",
    "Deserializer",
    "Format",
    "Serializer",
    "Topic",
    "deserializer_of",
    "serializer_of",
    "taken_from",
]

Value = TypeVar("Value")
TYPED = "moldau.client.typed_json"
"""Loaded with the first value of a class: it has many types of its own to load."""
STRUCT = "__struct_fields__"
"""What structs of msgspec have."""
Called = TypeVar("Called")
SERIALIZE, DESERIALIZE = "serialize", "deserialize"
"""The methods of those that see headers, too."""
AWAIT_BEFORE = "serialize with `await` before `send`"
AWAIT_AFTER = "deserialize with `await` what was returned"
"""What to do with a coroutine function."""
Serializer: TypeAlias = Callable[[str, Any], bytes | None]
Deserializer: TypeAlias = Callable[[str, bytes], Any]


class Format(NamedTuple):
    """A format that serializes and deserializes."""

    write: Callable[[Any], bytes | None]
    read: Callable[[bytes], Any]


_INT64, _INT32, _FLOAT = Packer(">q"), Packer(">i"), Packer(">d")


def _text(value: object) -> bytes:
    if not isinstance(value, str):
        raise TypeError("it is not text")
    return value.encode()


def _json_bytes(value: object) -> bytes:
    made = json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=_plain)
    return made.encode()


def _plain(value: object) -> object:
    """What JSON has not, as what it has."""
    made: object = import_module(TYPED).plain(value)
    return made


def _packed(packer: Packer) -> Format:
    return Format(packer.pack, lambda data: packer.unpack(data)[0])


def _msgpack() -> Format:
    try:
        msgpack = import_module("msgpack")
    except ImportError:
        raise MissingExtraError("the format msgpack needs the package of that name") from None
    return Format(msgpack.packb, msgpack.unpackb)


FORMATS: Mapping[str, Callable[[], Format]] = {
    "bytes": lambda: Format(lambda value: bytes_of(value, "value"), bytes),
    "str": lambda: Format(_text, lambda data: data.decode()),
    "int": lambda: _packed(_INT64),
    "int32": lambda: _packed(_INT32),
    "float": lambda: _packed(_FLOAT),
    "json": lambda: Format(_json_bytes, json.loads),
    "msgpack": _msgpack,
}


JAVAS = {
    "String": "str",
    "ByteArray": "bytes",
    "Bytes": "bytes",
    "Long": "int",
    "Integer": "int32",
    "Double": "float",
}
"""By the short names of Java's classes."""


def serializer_of(given: Serializer | str | None) -> Serializer | None:
    """None where values are bytes already."""
    if given is None:
        return None
    if not isinstance(given, str):
        return _called(given, "serializer", SERIALIZE, AWAIT_BEFORE)
    name, write = given, _format(given).write

    def serialize(topic: str, value: object) -> bytes | None:
        try:
            return None if value is None else write(value)
        except (TypeError, ValueError, PackError) as error:
            raise SerializationError(f"{value!r} for {topic} is not {name}: {error}") from error

    return serialize


def deserializer_of(given: Deserializer | str | None) -> Deserializer | None:
    """None where bytes are wanted as they are."""
    if given is None:
        return None
    if not isinstance(given, str):
        return _called(given, "deserializer", DESERIALIZE, AWAIT_AFTER)
    name, read = given, _format(given).read

    def deserialize(topic: str, data: bytes) -> Any:  # noqa: ANN401
        try:
            return read(data)
        except (TypeError, ValueError, PackError) as error:
            shown = data[:40]
            raise SerializationError(
                f"a record of {topic} is not {name}: {shown!r}: {error}"
            ) from error

    return deserialize


def _called(given: Called, what: str, method: str, remedy: str) -> Called:
    """What is no function, or a coroutine function, would fail with each record."""
    own = getattr(given, method, None)
    if not callable(given) and not callable(own):
        raise SerializationError(
            f"a {what} is a function of a topic and a value, or the name of one, and not {given!r}"
        )
    called = getattr(type(given), "__call__", None)  # noqa: B004
    if any(map(iscoroutinefunction, (given, called, own))):
        raise SerializationError(
            f"a {what} is a plain function, and {given!r} is a coroutine function, which nothing "
            f"awaits here: {remedy}"
        )
    return given


class Topic(Generic[Value]):
    """The name of a topic and the type of its values: a dataclass, or what has such methods.

        orders = Topic("orders", Order)
        producer.send(orders.name, orders.dump(Order(1, "tea")))
        order = orders.load(record.value)

    Values are JSON. Types of pydantic and structs of msgspec write and read themselves; fields of
    dataclasses are read by their types (`typed_json`).
    """

    def __init__(self, name: str, kind: type[Value]) -> None:
        if not isinstance(kind, type) or get_origin(kind) is not None:
            raise SerializationError(
                f"the values of a topic have a class, such as a dataclass, and not {kind!r}"
            )
        self.name = name
        self.kind = kind

    def __repr__(self) -> str:
        return f"Topic({self.name!r}, {self.kind.__name__})"

    def dump(self, value: Value) -> bytes:
        """As bytes."""
        if not isinstance(value, self.kind):
            raise SerializationError(
                f"{self.name} has values of {self.kind.__name__}, and {value!r} is none"
            )
        try:
            return self._dumped(value)
        except (TypeError, ValueError) as error:
            raise SerializationError(f"{value!r} for {self.name} is no JSON: {error}") from error

    def _dumped(self, value: object) -> bytes:
        if hasattr(value, "model_dump_json"):
            return str(value.model_dump_json()).encode()
        if hasattr(value, STRUCT):
            data: bytes = import_module("msgspec").json.encode(value)
            return data
        return _json_bytes(value)

    def load(self, data: bytes) -> Value:
        """From bytes; fields that the type does not have are left out."""
        if data is None:
            raise SerializationError(
                f"a record of {self.name} has no value, as it deletes its key: look at "
                "`record.value` before"
            )
        kind: Any = self.kind
        try:
            if hasattr(kind, "model_validate_json"):
                return kind.model_validate_json(data)  # type: ignore[no-any-return]
            if hasattr(kind, STRUCT):
                return import_module("msgspec").json.decode(data, type=kind)  # type: ignore[no-any-return]
            found = json.loads(data)
            if is_dataclass(kind):
                return import_module(TYPED).typed(kind, found)  # type: ignore[no-any-return]
            return kind(found)  # type: ignore[no-any-return]
        except (TypeError, ValueError, AttributeError) as error:
            raise SerializationError(
                f"a record of {self.name} is no {self.kind.__name__}: {_in_one_line(error)}"
            ) from error


def _in_one_line(error: Exception) -> str:
    """Pydantic's have a line for each field."""
    listed: Any = getattr(error, "errors", None)
    if not callable(listed):
        return str(error)
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in listed())


def taken_from(
    servers: Servers | None, keywords: dict[str, Any], names: Iterable[str]
) -> tuple[Servers | None, list[Any]]:
    """What the user gave under these names, which are functions or texts and no settings; from
    keywords, or from a mapping of settings that came in place of servers.
    """
    if not isinstance(servers, Mapping):
        return servers, [keywords.pop(name, None) for name in names]
    rest = dict(servers)
    found = [rest.pop(name.replace("_", "."), rest.pop(name, None)) for name in names]
    return rest, [keywords.pop(name, one) for name, one in zip(names, found, strict=True)]


def _own_name(name: str) -> str:
    """Of Java's StringSerializer it is str."""
    short = name.rpartition(".")[2].removesuffix("Serializer").removesuffix("Deserializer")
    return JAVAS.get(short, name)


def _format(given: str) -> Format:
    name = _own_name(given)
    if name not in FORMATS:
        near = nearest(name, FORMATS)
        raise SerializationError(
            f"there is no format {name!r}{f': did you mean {near!r}?' if near else '.'} "
            f"There are {', '.join(FORMATS)}, and functions of your own"
        )
    return FORMATS[name]()
