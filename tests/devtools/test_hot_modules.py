"""No compiled module outlives its source."""

from __future__ import annotations

import pytest

from devtools import hot_modules


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with one hot module that was compiled from what it says now."""
    (tmp_path / "pyproject.toml").write_text('[tool.moldau]\nhot = ["room.hot"]\n')
    (tmp_path / "setup.py").touch()
    room = tmp_path / "src" / "room"
    room.mkdir(parents=True)
    for name in ("hot.py", "hot.cpython-311.so", "hot__mypyc.cpython-311.so", "cold.so"):
        (room / name).touch()
    stamp = tmp_path / "made-from"
    monkeypatch.setattr(hot_modules, "ROOT", tmp_path)
    monkeypatch.setattr(hot_modules, "STAMP", stamp)
    stamp.write_text(hot_modules._fingerprint())
    return room


def test_the_list_is_the_one_in_the_settings(checkout):
    assert hot_modules.hot_modules() == ["room.hot"]


def test_what_is_fresh_stays(checkout):
    assert hot_modules.remove_stale()
    assert len(list(hot_modules.compiled_files())) == 2


def test_what_is_older_than_its_source_goes_and_nothing_else(checkout):
    (checkout / "hot.py").write_text("changed = True\n")
    assert not hot_modules.remove_stale()
    assert sorted(path.name for path in checkout.iterdir()) == ["cold.so", "hot.py"]


def test_what_is_fresh_is_not_compiled_again(checkout, capsys):
    assert hot_modules.compile_hot_modules() == 0
    assert capsys.readouterr().out == "The hot modules are compiled and fresh.\n"


def test_every_hot_module_of_the_project_is_there():
    missing = [
        name for name in hot_modules.hot_modules() if not hot_modules.source_of(name).exists()
    ]
    assert missing == []
