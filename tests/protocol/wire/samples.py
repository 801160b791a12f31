"""Messages made up for these tests: every kind of field in as few lines as possible."""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Data, Request, Struct
from moldau.protocol.wire.types import (
    Bool,
    BrokerId,
    Bytes,
    Float64,
    Int8,
    Int16,
    Int32,
    Int64,
    Records,
    String,
    UInt16,
    UInt32,
    Uuid,
)

SOME_ID = bytes(range(16))


class Letter(Request, key=99, versions="0-4", flexible="2+", listeners=("broker",)):
    """Old at 0, flexible from 2."""

    sender: String
    reply_to: String | None = at("1+", default=None)
    urgency: Int8 = at("1+", default=3, ignorable=True)
    stamps: list[Int32]
    lines: list[Line]
    enclosure: Records | None = at("3+", default=None)
    postscript: Postscript | None = at("4+", default=None)
    route: list[BrokerId] = at("2+", tag=1)
    colour: String = at("2+", tag=0, default="white")

    class Line(Struct):
        number: Int32
        text: String
        words: list[String]

    class Postscript(Struct):
        text: String


class Numbers(Data, versions="0-1", flexible="1+"):
    """One of each fixed width."""

    flag: Bool
    tiny: Int8
    small: Int16
    port: UInt16
    plain: Int32
    count: UInt32
    large: Int64
    ratio: Float64
    id: Uuid


class Row(Data, versions="0-1", flexible="1+"):
    """Structs of equal length, which are read at one go."""

    cells: list[Cell]
    raw: Bytes = b""

    class Cell(Struct):
        left: Int32
        right: Int64 = -1


def letter(**changes: object) -> Letter:
    """A letter that every version can carry."""
    values: dict[str, object] = {"sender": "Milena", "stamps": [1, 2], "lines": []}
    return Letter(**(values | changes))  # type: ignore[arg-type]  # a test says what it changes


class Table(Data, versions="0-2", flexible="1+"):
    """Structs that can be of one shape: every kind of field that a shape knows."""

    entries: list[Entry]

    class Entry(Struct):
        index: Int32
        replicas: list[BrokerId]
        name: String | None = None
        ids: list[Uuid] | None = at(default=None)
        key: Bytes = b""
        value: Records | None = at("2+", default=None)
        details: list[Detail] | None = at(default=None)
        weight: Int16 = at("1+", default=7, ignorable=True)
        colour: String = at("1+", tag=0, default="white", ignorable=True)

        class Detail(Struct):
            text: String


def entry(index: int = 0, **changes: object) -> Table.Entry:
    values: dict[str, object] = {"index": index, "replicas": [1, 2, 3]}
    return Table.Entry(**(values | changes))  # type: ignore[arg-type]  # as above
