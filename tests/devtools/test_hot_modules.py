"""Compiled modules come and go with their sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from devtools import hot_modules


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with one hot module, compiled, and remembered as fresh."""
    (tmp_path / "pyproject.toml").write_text('[tool.moldau]\nhot = ["room.scan"]\n')
    (tmp_path / "setup.py").touch()
    room = tmp_path / "src" / "room"
    room.mkdir(parents=True)
    for name in ("scan.py", "scan.cpython-311.so", "scan__mypyc.cpython-311.so", "other.so"):
        (room / name).touch()
    monkeypatch.setattr(hot_modules, "ROOT", tmp_path)
    monkeypatch.setattr(hot_modules, "STAMP", tmp_path / "made-from")
    hot_modules.STAMP.write_text(hot_modules._fingerprint())
    return room


def left_in(room: Path) -> set[str]:
    return {path.name for path in room.iterdir()}


def test_fresh_modules_stay(checkout):
    assert hot_modules.remove_stale()
    assert len(left_in(checkout)) == 4


@pytest.mark.parametrize("changed", ["src/room/scan.py", "setup.py"])
def test_compiled_modules_go_when_what_they_were_made_from_changes(checkout, changed):
    (hot_modules.ROOT / changed).write_text("X = 1\n")
    assert not hot_modules.remove_stale()
    assert left_in(checkout) == {"scan.py", "other.so"}


def test_modules_that_nobody_remembers_compiling_go(checkout):
    hot_modules.STAMP.unlink()
    assert not hot_modules.remove_stale()
    assert left_in(checkout) == {"scan.py", "other.so"}


def test_every_hot_module_has_its_source():
    assert hot_modules.hot_modules()
    assert all(hot_modules.source_of(name).exists() for name in hot_modules.hot_modules())


@pytest.mark.parametrize("wanted", ["auto", "require"])
def test_without_a_compiler_a_build_succeeds_and_compiles_nothing(tmp_path, wanted):
    environment = os.environ | {"CC": "/nowhere/cc", "MOLDAU_COMPILE": wanted}
    where = ["--build-lib", str(tmp_path), "--build-temp", str(tmp_path)]
    command = [sys.executable, "setup.py", "--quiet", "build_ext", *where]
    subprocess.run(command, cwd=hot_modules.ROOT, env=environment, check=True, capture_output=True)
    assert not list(tmp_path.rglob("*.so"))
