"""Only `system` touches the world; pure packages cannot even name it.

The packages and the modules are those of the contract `pure` in pyproject.toml. The contract looks
at imports between modules; this looks at the text, so that `open(` is seen too, and it covers the
packages that the contract leaves out.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache

from tests.tidy.source import ROOT, Source, assert_none, python_sources

BUILT_IN_DOORS = {"open", "input", "eval", "exec", "compile", "__import__", "breakpoint"}
MAY_IMPORT = {
    "simulated": {"asyncio", "random", "selectors"},
    "schemas": {"datetime", "uuid"},
    "client": {"datetime", "uuid"},
}
"""The simulated world keeps its own time on a loop, and takes its chances from a seed. Schemas and
dataclasses have values of these types; that none of them asks the clock, ruff's banned names hold.
"""
MAY_CALL = {"wire": {"compile", "eval", "exec"}, "platform": {"exec"}}
"""Codecs are compiled from source that this package wrote, our messages' annotations read, and
`__init__` of data classes written; no byte from outside becomes part of any."""


@cache
def world_modules() -> set[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    pure = next(contract for contract in contracts if contract["id"] == "pure")
    return {name for name in pure["forbidden_modules"] if not name.startswith("moldau")}


def doors(source: Source) -> Iterator[str]:
    """Where this file reaches for the world."""
    banned = world_modules() - MAY_IMPORT.get(source.package, set())
    calls = BUILT_IN_DOORS - MAY_CALL.get(source.package, set())
    for node in source.nodes:
        for name in imported(node):
            if name.partition(".")[0] in banned:
                yield f"{source.path}:{node.lineno} imports {name}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
            yield f"{source.path}:{node.lineno} calls {node.func.id}"


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module]
    return []


def test_no_package_but_system_touches_the_world():
    packages = [source for source in python_sources("src") if source.package != "system"]
    assert_none(door for source in packages for door in doors(source))


def test_an_import_of_the_world_is_noticed_however_it_is_written():
    text = "import os.path\ndef f():\n    from time import sleep\n"
    found = list(doors(Source("src/moldau/broker/log/x.py", text)))
    assert found == [
        "src/moldau/broker/log/x.py:1 imports os.path",
        "src/moldau/broker/log/x.py:3 imports time",
    ]


def test_opening_a_file_is_noticed():
    sample = Source("src/moldau/broker/log/x.py", "data = open('x').read()\n")
    assert list(doors(sample)) == ["src/moldau/broker/log/x.py:1 calls open"]


def test_a_method_called_open_is_no_door():
    assert list(doors(Source("src/moldau/broker/log/x.py", "file = files.open('x')\n"))) == []
