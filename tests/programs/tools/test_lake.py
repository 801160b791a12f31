"""`moldau lake` keeps a table, and says what it did."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command

KEYS = ("AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b")


def lake(*arguments):
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
    assert lake("compact", table) == (0, "3 files became 1\n")


def test_vacuum_names_what_it_removes(table):
    lake("compact", table)
    code, text = lake("vacuum", table, "--retention-hours", "0", "--dry-run")
    assert code == 0
    assert text.endswith("3 files would be removed\n")
    assert lake("vacuum", table, "--retention-hours", "0")[1].endswith("3 files removed\n")


def test_a_place_without_a_table_is_one_sentence(tmp_path):
    pytest.importorskip("deltalake", reason="moldau[spark] is not installed")
    code, text = lake("compact", str(tmp_path / "none"))
    assert code == 1
    assert text.startswith("moldau lake: there is no Delta table at ")


def test_a_folder_of_tables_names_them(table, tmp_path):
    code, text = lake("compact", str(tmp_path.parent))
    assert code == 1
    assert text.count("\n") == 1
    assert table in text


def test_a_file_is_no_table(tmp_path):
    pytest.importorskip("deltalake", reason="moldau[spark] is not installed")
    path = tmp_path / "numbers.csv"
    path.write_text("1,2")
    assert lake("vacuum", str(path)) == (
        1,
        f"moldau lake: {path} is a file, and a Delta table is a folder: give that folder\n",
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("compact", "x", "--file-size", "-1"),
        ("compact", "x", "--file-size", "0"),
        ("compact", "x", "--file-size", "9" * 30),
        ("vacuum", "x", "--retention-hours", "-1"),
        ("vacuum", "x", "--retention-hours", "9999999999999999"),
    ],
)
def test_a_number_out_of_bounds_is_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        lake(*arguments)
    assert ended.value.code == 2
    assert (
        f"argument {arguments[2]}: '{arguments[3]}' is no whole number" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("path", "storage", "sentence"),
    [
        ("s3://bucket/x", ("AWS_REGION=us-east-1",), "no credentials for the object store"),
        (
            "s3://bucket/x",
            (*KEYS, "AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_ALLOW_HTTP=true", "max_retries=1"),
            "GET http://127.0.0.1:1/bucket/x/_delta_log/_last_checkpoint failed: Connection",
        ),
        ("nowhere://bucket/x", (), "no kind of store has addresses that begin with nowhere://"),
    ],
    ids=["no credentials", "unreachable", "unknown"],
)
def test_a_store_that_cannot_be_had_is_one_sentence(path, storage, sentence):
    """In a process of its own, since the library may write to standard error by itself."""
    pytest.importorskip("deltalake", reason="moldau[spark] is not installed")
    command = [sys.executable, "-m", "moldau", "lake", "compact", path]
    pairs = [part for text in storage for part in ("--storage", text)]
    variables = {name: text for name, text in os.environ.items() if not name.startswith("AWS_")}
    variables |= {"AWS_EC2_METADATA_DISABLED": "true"}
    ended = subprocess.run(
        [*command, *pairs], env=variables, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("moldau lake: ")
    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "\x1b" not in ended.stderr


def test_a_setting_without_a_value_is_refused(table):
    code, text = lake("compact", table, "--storage", "AWS_REGION")
    assert (code, text) == (1, "moldau lake: --storage takes NAME=VALUE, and not 'AWS_REGION'\n")


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "deltalake", None)
    monkeypatch.delitem(sys.modules, "moldau.spark.lake.upkeep", raising=False)
    code, text = lake("compact", "x")
    assert code == 1
    assert text.count("\n") == 1
    assert "pip install '.[spark]'" in text
