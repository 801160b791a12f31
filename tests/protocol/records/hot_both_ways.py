"""Loads a hot module from its source and as mypyc has compiled it, side by side in one interpreter.

Whatever lies beside the source, `load_plain` runs the source. `load_compiled` is what everything
else imports too, where it is compiled; `./dev check` runs the tests that way.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest

from devtools.hot_modules import source_of

PLAIN_AND_COMPILED = ("plain", "compiled")


def load(way: str, name: str) -> Any:
    """The module `moldau.protocol.records.NAME`; skips the test where it is not compiled."""
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
    module = importlib.import_module(f"moldau.protocol.records.{name}")
    if str(module.__file__).endswith(".py"):
        pytest.skip("The hot modules are not compiled: ./dev build does it.")
    return module
