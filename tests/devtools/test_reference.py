"""How the reference is laid out; tests/docs judges what is in it."""

from argparse import ArgumentParser

import pytest

from devtools import reference
from devtools.reference import argument_rows, bounds, command_section, page, setting_row, table
from moldau.config.broker.settings import BrokerSettings
from moldau.config.topic import TopicSettings
from moldau.config.without_effect import WITHOUT_EFFECT


def test_a_table_has_a_line_for_its_heads_and_one_for_each_row():
    assert table("A", "B", rows=[("1", "2")]) == ["| A | B |", "| --- | --- |", "| 1 | 2 |"]


def test_a_setting_without_a_default_has_an_empty_cell():
    rack = setting_row(BrokerSettings.broker_rack)
    assert rack[:5] == ("`broker.rack`", "string", "", "", "read-only")
    assert setting_row(BrokerSettings.num_partitions)[2] == "`1`"


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        (BrokerSettings.num_partitions, "1 or more"),
        (BrokerSettings.group_share_max_size, "1 to 1000"),
        (BrokerSettings.compression_gzip_level, "1 to 9, or -1"),
        (BrokerSettings.log_cleanup_policy, "`compact`, `delete`"),
        (TopicSettings.leader_replication_throttled_replicas, "`partition:broker`, or `*`"),
        (BrokerSettings.broker_rack, ""),
    ],
)
def test_the_bounds_of_a_setting_are_shown(key, shown):
    assert bounds(key.limits) == shown


def test_a_setting_without_effect_has_the_reason():
    reason = WITHOUT_EFFECT["num.io.threads"]
    says = setting_row(BrokerSettings.num_io_threads, reason)[-1]
    assert says.endswith(f"**No effect here, because {reason}.**")
    assert reason in reference.settings_page()


def test_a_bar_in_a_help_text_does_not_break_the_table():
    parser = ArgumentParser(add_help=False)
    parser.add_argument("--how", help="fast|slow, 5%% of each")
    assert list(argument_rows(parser)) == [("`--how HOW`", "fast\\|slow, 5% of each")]


def test_the_ways_of_a_command_are_reported_with_their_own_arguments():
    parser = ArgumentParser(prog="moldau sail", description="Sail.", add_help=False)
    way = parser.add_subparsers(metavar="out|home").add_parser("out", help="leave the harbour")
    way.add_argument("--miles", default=3, help="how far (default: %(default)s)")
    text = "\n".join(command_section(parser))
    assert "### moldau sail out\n\nLeave the harbour." in text
    assert "| `--miles MILES` | how far (default: 3) |" in text


def test_a_page_says_that_it_is_written_by_a_program():
    assert page("Title", "It says.").startswith("# Title\n\nIt says. Written by `./dev docs`")


def test_pages_are_written_where_they_are_looked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(reference, "FOLDER", tmp_path)
    monkeypatch.setattr(reference, "PAGES", {"one.md": lambda: "text"})
    reference.write_pages()
    assert (tmp_path / "one.md").read_text() == "text"
