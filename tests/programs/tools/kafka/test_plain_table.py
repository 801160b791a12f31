"""Columns are as wide as their widest cell, and each ends with a tab."""

from moldau.programs.tools.kafka.plain_table import print_table


def test_cells_are_filled_up_to_the_widest_of_their_column(world):
    print_table(["Id", "State"], [[1, "Up"], [123, "Down"]], world)
    assert world.out.getvalue() == "Id \tState\t\n1  \tUp   \t\n123\tDown \t\n"


def test_a_table_without_rows_has_its_heads(world):
    print_table(["Id"], [], world)
    assert world.out.getvalue() == "Id\t\n"
