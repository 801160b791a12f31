"""A package's docstring is its README: it names every file of the package, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.source import GROUPS, ROOT, assert_none

PACKAGES = ROOT / "src" / "moldau"


def files_of(package: Path) -> set[str]:
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    return modules | {path.parent.name for path in package.glob("*/__init__.py")}


def unnamed(package: str, docstring: str, files: set[str]) -> Iterator[str]:
    words = set(re.findall(r"\w+", docstring))
    yield from (f"{package}: its docstring does not name {name}" for name in files - words)
    if "Reading order" not in docstring:
        yield f"{package}: its docstring gives no reading order"


def test_every_package_names_its_files_in_reading_order():
    patterns = ("*", *(f"{group}/*" for group in GROUPS), "broker/log/*", "broker/server/*")
    packages = {path.parent for one in patterns for path in PACKAGES.glob(f"{one}/__init__.py")}
    docstrings = {one: (one / "__init__.py").read_text() for one in packages}
    assert_none(
        complaint
        for package, text in docstrings.items()
        for complaint in unnamed(
            package.name, ast.get_docstring(ast.parse(text)) or "", files_of(package)
        )
    )


def test_a_file_that_is_not_named_is_noticed():
    assert list(unnamed("log", "The log. Reading order: segment.", {"segment", "index"})) == [
        "log: its docstring does not name index"
    ]


def test_a_missing_reading_order_is_noticed():
    assert list(unnamed("log", "The log.", set())) == ["log: its docstring gives no reading order"]
