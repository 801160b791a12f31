"""A room's docstring is its README: it names every file of the room, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.source import GROUPS, ROOT, assert_none

ROOMS = ROOT / "src" / "moldau"


def files_of(room: Path) -> set[str]:
    modules = {path.stem for path in room.glob("*.py")} - {"__init__", "__main__"}
    return modules | {path.parent.name for path in room.glob("*/__init__.py")}


def unnamed(room: str, docstring: str, files: set[str]) -> Iterator[str]:
    words = set(re.findall(r"\w+", docstring))
    yield from (f"{room}: its docstring does not name {name}" for name in files - words)
    if "Reading order" not in docstring:
        yield f"{room}: its docstring gives no reading order"


def test_every_room_names_its_files_in_reading_order():
    patterns = ("*", *(f"{group}/*" for group in GROUPS), "broker/log/*", "broker/server/*")
    rooms = {path.parent for one in patterns for path in ROOMS.glob(f"{one}/__init__.py")}
    docstrings = {room: (room / "__init__.py").read_text() for room in rooms}
    assert_none(
        complaint
        for room, text in docstrings.items()
        for complaint in unnamed(
            room.name, ast.get_docstring(ast.parse(text)) or "", files_of(room)
        )
    )


def test_a_file_that_is_not_named_is_noticed():
    assert list(unnamed("log", "The log. Reading order: segment.", {"segment", "index"})) == [
        "log: its docstring does not name index"
    ]


def test_a_missing_reading_order_is_noticed():
    assert list(unnamed("log", "The log.", set())) == ["log: its docstring gives no reading order"]
