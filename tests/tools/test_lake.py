"""`moldau lake` keeps a table, and says what it did."""

from __future__ import annotations

import sys
from io import StringIO

import pytest

from moldau.simulated.clock import SimulatedClock
from moldau.simulated.files import SimulatedFiles
from moldau.simulated.randomness import SeededRandom
from moldau.tools.command import World
from moldau.tools.main import run_command


def said(*arguments):
    """What the command writes, and its exit code."""
    out, errors = StringIO(), StringIO()
    world = World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=out,
        errors=errors,
    )
    code = run_command(["lake", *arguments], world)
    return code, out.getvalue() + errors.getvalue()


@pytest.fixture
def table(tmp_path):
    deltalake = pytest.importorskip("deltalake", reason="moldau[spark] is not installed")
    pyarrow = pytest.importorskip("pyarrow", reason="moldau[spark] is not installed")
    for value in range(3):
        rows = pyarrow.table({"number": [value]})
        deltalake.write_deltalake(tmp_path, rows, mode="append")
    return str(tmp_path)


def test_small_files_are_written_together(table):
    assert said("compact", table) == (0, "3 files became 1\n")


def test_vacuum_names_what_it_removes(table):
    said("compact", table)
    code, text = said("vacuum", table, "--retention-hours", "0", "--dry-run")
    assert code == 0
    assert text.endswith("3 files would be removed\n")
    assert said("vacuum", table, "--retention-hours", "0")[1].endswith("3 files removed\n")


def test_a_place_without_a_table_is_one_sentence(tmp_path):
    pytest.importorskip("deltalake", reason="moldau[spark] is not installed")
    code, text = said("compact", str(tmp_path / "none"))
    assert code == 1
    assert text.startswith("moldau lake: there is no Delta table at ")


def test_a_setting_without_a_value_is_refused(table):
    code, text = said("compact", table, "--storage", "AWS_REGION")
    assert (code, text) == (1, "moldau lake: --storage takes NAME=VALUE, and not 'AWS_REGION'\n")


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "deltalake", None)
    monkeypatch.delitem(sys.modules, "moldau.spark.lake.upkeep", raising=False)
    code, text = said("compact", "x")
    assert code == 1
    assert text.count("\n") == 1
    assert "pip install 'moldau[spark]'" in text
