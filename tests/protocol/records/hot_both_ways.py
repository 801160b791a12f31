"""Loads a hot module from its source and as mypyc compiles it, side by side in one interpreter.

Whatever lies beside the source, and whatever the rest of the tests imported, `load_plain` runs the
source and `load_compiled` an extension made of that same source.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import moldau.protocol.records
from devtools.hot_modules import build_library, hot_modules, source_of

PLAIN_AND_COMPILED = ("plain", "compiled")


def load(way: str, name: str) -> Any:
    """The module `moldau.protocol.records.NAME`; skips the test where it cannot be compiled."""
    return load_plain(name) if way == "plain" else load_compiled(name)


@cache
def load_plain(name: str) -> Any:
    """The source, as an uncompiled module."""
    source = source_of(f"moldau.protocol.records.{name}")
    spec = spec_from_file_location(f"plain_{name}", source)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def load_compiled(name: str) -> Any:
    """The compiled source."""
    modules = _compiled_modules()
    if modules is None:
        pytest.skip("The hot modules cannot be compiled: a C compiler or mypyc is missing.")
    return modules[f"moldau.protocol.records.{name}"]


@cache
def _compiled_modules() -> dict[str, ModuleType] | None:
    library = build_library()
    if library is None:
        return None
    path: list[str] = moldau.protocol.records.__path__
    before = {name: sys.modules.pop(name, None) for name in hot_modules()}
    path.insert(0, str(library / "moldau" / "protocol" / "records"))
    importlib.invalidate_caches()
    try:
        modules = {name: importlib.import_module(name) for name in hot_modules()}
    finally:
        path.pop(0)
        for name, module in before.items():
            _restore(name, module)
    for module in modules.values():
        assert Path(str(module.__file__)).is_relative_to(library)
    return modules


def _restore(name: str, module: ModuleType | None) -> None:
    sys.modules.pop(name, None)
    if module is not None:
        sys.modules[name] = module
        setattr(moldau.protocol.records, name.rpartition(".")[2], module)
