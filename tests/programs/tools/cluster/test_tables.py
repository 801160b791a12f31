"""Columns of text."""

from __future__ import annotations

from io import StringIO

import pytest

from moldau.programs.tools.cluster.tables import (
    block_lines,
    count_text,
    size_text,
    table_lines,
    write_table,
)


def test_numbers_stand_at_the_right_and_text_at_the_left():
    assert table_lines(("NAME", "N"), [("a", 5), ("longer", None), ("b", 12.0)]) == [
        "NAME       N",
        "a          5",
        "longer     -",
        "b       12.0",
    ]
    assert table_lines(("NAME", "N"), []) == ["NAME  N"]


def test_sizes_and_counts_are_words():
    assert [size_text(size) for size in (0, 1023, 1024, 5 * 1024**2)] == [
        "0 B",
        "1023 B",
        "1.0 KiB",
        "5.0 MiB",
    ]
    assert (count_text(1, "group"), count_text(2, "group")) == ("1 group", "2 groups")


def test_a_row_that_is_wider_than_the_terminal_is_a_block():
    settings = "compression.type=zstd, a=1, retention.ms=77"
    assert list(block_lines(("NAME", "SETTINGS"), [["a", settings], ["", "b" * 30]], 40)) == [
        "NAME      a",
        "SETTINGS  compression.type=zstd, a=1,",
        "          retention.ms=77",
        "",
        "NAME",
        "SETTINGS  " + "b" * 30,
    ]


def test_a_name_that_is_too_long_for_its_line_stands_whole_below_its_head():
    assert list(block_lines(("NAME", "N"), [["b" * 39, "1"], ["c" * 50, "2"]], 40)) == [
        "NAME",
        "  " + "b" * 39,
        "N     1",
        "",
        "NAME",
        "  " + "c" * 50,
        "N     2",
    ]


class Screen(StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("columns", "out", "lines"),
    [
        ("6", Screen(), ["NAME", "  long", "N", "  1"]),
        ("12", Screen(), ["NAME  N", "long  1"]),
        ("6", StringIO(), ["NAME  N", "long  1"]),
    ],
)
def test_only_a_terminal_that_is_too_narrow_has_blocks(columns, out, lines, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    write_table(("NAME", "N"), [("long", 1)], out)
    assert out.getvalue().splitlines() == lines
