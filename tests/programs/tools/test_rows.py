"""`--output`: programs read what was found, and people see it, however narrow their terminal is."""

from __future__ import annotations

import csv
import json
import sys
from io import StringIO

import pytest
import yaml

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.own_parser import OwnParser
from moldau.programs.tools.rows import Rows, asked_form, key_of, shown_as
from tests.programs.tools.terminal import Terminal

HEADS = ("GROUP", "LOG-END-OFFSET", "IS-FUTURE", "ISR", "HOST")
ROWS = [("yes", 12, True, [1, 2], None), ('a "b": c, é', 7, False, [], "1.5")]
KEYS = ["group", "log_end_offset", "is_future", "isr", "host"]


@pytest.fixture
def world():
    return World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=StringIO(),
        errors=StringIO(),
    )


def shown(form: str, columns: int | None = None) -> str:
    rows, out = Rows(form), StringIO()
    rows.add(HEADS, ROWS, ["HOST"])
    rows.write(out, columns)
    return out.getvalue()


def values() -> list[dict[str, object]]:
    return [dict(zip(KEYS, row, strict=True)) for row in ROWS]


def test_json_and_yaml_have_every_value_as_it_was():
    assert json.loads(shown("json")) == values()
    assert yaml.safe_load(shown("yaml")) == values()


def test_texts_that_yaml_would_take_for_something_else_are_quoted():
    texts = ["no", "null", "1e3", "~", "- a", "", "0x1f", "1:30", "=", "a: b", "#x", "2026-01-01"]
    rows, out = Rows("yaml"), StringIO()
    rows.add(["TEXT"], [[text] for text in texts])
    rows.write(out)
    assert [row["text"] for row in yaml.safe_load(out.getvalue())] == texts


def test_csv_is_read_back_by_a_reader_of_csv():
    first, second = csv.DictReader(StringIO(shown("csv")))
    assert list(first.values()) == ["yes", "12", "true", "1,2", ""]
    assert second["group"] == ROWS[1][0]


def test_a_table_leaves_out_what_only_a_wide_one_has():
    assert shown("table").splitlines() == [
        "GROUP        LOG-END-OFFSET  IS-FUTURE  ISR",
        "yes                      12  true       1,2",
        'a "b": c, é               7  false      -',
    ]
    assert shown("wide").splitlines()[1].split() == ["yes", "12", "true", "1,2", "-"]


def test_on_a_narrow_terminal_each_row_is_a_block_and_nothing_is_lost():
    lines = shown("table", columns=40).splitlines()
    assert lines[:5] == [
        "GROUP           yes",
        "LOG-END-OFFSET  12",
        "IS-FUTURE       true",
        "ISR             1,2",
        "",
    ]


def test_nothing_found_is_an_empty_list_and_a_table_of_heads():
    for form, text in (
        ("json", "[]\n"),
        ("yaml", "[]\n"),
        ("csv", "group\n"),
        ("table", "GROUP\n"),
    ):
        rows, out = Rows(form), StringIO()
        rows.add(["GROUP"], [])
        rows.write(out)
        assert out.getvalue() == text


def test_rows_of_several_calls_have_all_columns():
    rows, out = Rows("json"), StringIO()
    rows.add(["A"], [[1]])
    rows.add(["A", "B"], [[2, 3]])
    rows.write(out)
    assert json.loads(out.getvalue()) == [{"a": 1, "b": None}, {"a": 2, "b": 3}]


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ("COORDINATOR (ID)", "coordinator"),
        ("#PARTITIONS", "partitions"),
        ("TransactionalId", "transactional_id"),
        ("ENDPOINT_TYPE", "endpoint_type"),
        ("MaxFollowerLagTimeMs", "max_follower_lag_time_ms"),
        ("p99.9_ms", "p99_9_ms"),
    ],
)
def test_names_are_those_of_kafkas_tables_in_small_letters(head, key):
    assert key_of(head) == key


def test_a_form_is_found_in_either_spelling_and_another_word_is_none():
    assert asked_form(["--list", "--output", "json"]) == "json"
    assert asked_form(["--output=csv"]) == "csv"
    assert asked_form(["--output"]) is None
    assert asked_form(["--output", "file.json"]) is None


def test_text_without_rows_is_a_message(world):
    def creates(inner: World) -> int:
        print("Created topic a.", file=inner.out)
        return 0

    assert shown_as("json", creates, world) == 0
    assert json.loads(world.out.getvalue()) == {"message": "Created topic a."}


def test_an_error_is_json_where_json_is_asked_for(world):
    def fails(inner: World) -> int:
        print("Error: no such group", file=inner.out)
        return 0

    assert shown_as("json", fails, world) == 1
    assert world.out.getvalue() == ""
    assert json.loads(world.errors.getvalue()) == {"error": "Error: no such group"}


def test_what_argparse_and_the_log_write_is_in_the_error(world):
    parser = OwnParser(prog="moldau frob")

    def fails(_: World) -> int:
        print("cannot reach localhost:1", file=sys.stderr)
        parser.parse_args(["--frob"])
        return 0

    assert shown_as("json", fails, world) == 2
    text = json.loads(world.errors.getvalue())["error"]
    assert text.splitlines()[0] == "cannot reach localhost:1"
    assert text.endswith("moldau frob: error: unrecognized arguments: --frob")


def test_programs_need_not_read_how_a_command_is_used(world):
    parser = OwnParser(prog="moldau frob")
    assert shown_as("json", lambda _: len(parser.parse_args(["--frob"])._get_args()), world) == 2
    error = "moldau frob: error: unrecognized arguments: --frob"
    assert json.loads(world.errors.getvalue()) == {"error": error}


def test_help_is_help_whatever_form_is_asked_for(world, capsys):
    parser = OwnParser(prog="moldau frob")
    with pytest.raises(SystemExit) as ended:
        shown_as("json", lambda _: len(parser.parse_args(["--help"])._get_args()), world)
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: moldau frob")


def test_a_remark_beside_rows_is_a_warning(world):
    def remarks(inner: World) -> int:
        inner.errors.write("\nGroup 'a' has no active members.\n")
        return 0 if inner.takes(["GROUP"], [["a"]]) else 1

    assert shown_as("json", remarks, world) == 0
    assert json.loads(world.out.getvalue()) == [{"group": "a"}]
    assert json.loads(world.errors.getvalue()) == {"warning": "Group 'a' has no active members."}


def test_without_output_nothing_is_taken(world):
    assert not world.takes(["GROUP"], [["a"]])


PROGRAM = """
import sys
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.own_parser import OwnParser
from moldau.programs.tools.rows import shown_as
world = World(files=SimulatedFiles(), clock=SimulatedClock(), random=SeededRandom(1),
              out=sys.stdout, errors=sys.stderr)
take = lambda inner: 1 - inner.takes(["GROUP", "LOG-END-OFFSET"], [["a" * %d, 12]])
sys.exit(shown_as("table", take, world))
"""


@pytest.mark.parametrize(
    ("size", "variable", "seen"),
    [
        (5, "", "\x1b[1mGROUP  LOG-END-OFFSET\x1b[0m\r\naaaaa              12\r\n"),
        (5, "NO_COLOR", "GROUP  LOG-END-OFFSET\r\naaaaa              12\r\n"),
        (30, "", f"GROUP\r\n  {'a' * 30}\r\nLOG-END-OFFSET  12\r\n"),
    ],
)
def test_a_terminal_has_bold_heads_unless_its_user_wants_none(monkeypatch, size, variable, seen):
    monkeypatch.delenv("NO_COLOR", raising=False)
    if variable:
        monkeypatch.setenv(variable, "1")
    terminal = Terminal("-c", PROGRAM % size, columns=40)
    assert terminal.end() == 0
    assert terminal.raw == seen
