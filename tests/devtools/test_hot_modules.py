"""No compiled module outlives its source."""

from __future__ import annotations

import pytest

from devtools import hot_modules


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with one hot module that was compiled from what it says now."""
    (tmp_path / "pyproject.toml").write_text('[tool.moldau.hot]\nroom = ["hot"]\n')
    (tmp_path / "setup.py").touch()
    room = tmp_path / "src" / "room"
    room.mkdir(parents=True)
    for name in ("hot.py", "cold.py", "hot.cpython-311.so", "hot_before.cpython-311.so"):
        (room / name).touch()
    (tmp_path / "src" / "all_hot__mypyc.cpython-311.so").touch()
    stamp = tmp_path / "made-from"
    monkeypatch.setattr(hot_modules, "ROOT", tmp_path)
    monkeypatch.setattr(hot_modules, "STAMP", stamp)
    stamp.write_text(hot_modules._fingerprint())
    return room


def test_the_list_is_the_one_in_the_settings(checkout):
    assert hot_modules.hot_modules() == ["room.hot"]


def test_what_is_fresh_stays(checkout):
    assert hot_modules.remove_stale()
    assert len(list(hot_modules.compiled_files())) == 3


def test_where_a_source_has_changed_all_that_is_compiled_goes_and_nothing_else(checkout):
    """One shared library holds them all, and modules that are no longer hot lie there as well."""
    (checkout / "hot.py").write_text("changed = True\n")
    assert not hot_modules.remove_stale()
    left = [path.name for path in checkout.parent.rglob("*") if path.is_file()]
    assert sorted(left) == ["cold.py", "hot.py"]


def test_a_module_that_is_not_hot_may_change(checkout):
    (checkout / "cold.py").write_text("changed = True\n")
    assert hot_modules.remove_stale()


def test_another_mypy_makes_all_stale(checkout):
    packages = checkout.parent.parent / ".venv" / "lib" / "python3.11" / "site-packages"
    (packages / "mypy-9.9.dist-info").mkdir(parents=True)
    assert not hot_modules.remove_stale()


def test_the_sources_can_be_made_to_run(checkout):
    assert hot_modules.main(["--remove"]) == 0
    assert list(hot_modules.compiled_files()) == []
    assert not hot_modules.remove_stale()


def test_what_is_fresh_is_not_compiled_again(checkout, capsys):
    assert hot_modules.compile_hot_modules() == 0
    assert capsys.readouterr().out == "The hot modules are compiled and fresh.\n"


def test_every_hot_module_of_the_project_is_there():
    missing = [
        name for name in hot_modules.hot_modules() if not hot_modules.source_of(name).exists()
    ]
    assert missing == []
