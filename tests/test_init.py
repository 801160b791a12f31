"""The names of the project itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

import moldau


def test_every_name_is_there():
    assert [name for name in moldau.__all__ if getattr(moldau, name, None) is None] == []


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="Produser"):
        _ = moldau.Produser


def test_the_project_alone_loads_no_client():
    code = "import sys, moldau; print('moldau.client' in sys.modules, 'asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
