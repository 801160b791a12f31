"""Columns of text."""

from moldau.programs.tools.cluster.tables import count_text, size_text, table_lines


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
