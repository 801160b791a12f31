"""Lists and tables of every command on a terminal of 40 columns: what a person sees."""

from __future__ import annotations

import re

import pytest

from moldau.client.admin import Admin
from tests.programs.tools.cluster.test_output import LISTINGS
from tests.programs.tools.terminal import Terminal

COLUMNS = 40
KAFKAS = (
    *(words for words in LISTINGS if words != "lag" and words != "doctor"),
    "configs --describe --topic {topic}",
    "configs --describe --topic {topic} --all",
    "configs --describe --entity-type topics",
    "consumer-groups --describe --group {group} --verbose",
    "consumer-groups --describe --group {group} --members --verbose",
    "consumer-groups --describe --group {group} --state --verbose",
    "transactions describe-producers --topic {topic} --partition 0",
    "transactions find-hanging --topic {topic}",
)
OURS = (
    "lag",
    "lag --group {group}",
    "clone-group --dry-run {group} other-{group}",
    "bench --topic {topic} --records 50",
    "plan {file}",
)
COLUMN = re.compile(r"\S(?: {2,}|\t)\S+ +\S")
"""A gap between cells, and more than one word behind it: prose and single words may be broken."""


def broken_tables(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line) > COLUMNS and COLUMN.search(line)]


@pytest.fixture
def filled(node, topic, group, tmp_path) -> dict[str, str]:
    """A topic with settings, a group that has committed, and a file of what is wanted."""
    (tmp_path / "wanted.yaml").write_text(f"topics: {{{topic}: {{partitions: 3}}}}")
    with Admin(node) as admin:
        settings = {"segment.ms": "123456789", "retention.ms": "123456789"}
        admin.incremental_alter_configs({("topic", topic): settings}).all()
    return {"topic": topic, "group": group, "file": str(tmp_path / "wanted.yaml")}


@pytest.fixture
def seen(node, filled):
    def ask(words: str) -> str:
        command, *rest = words.format(**filled).split()
        terminal = Terminal(command, "--bootstrap-server", node, *rest, columns=COLUMNS)
        code = terminal.end()
        assert code == 0 or command == "lag", terminal.text
        return terminal.text

    return ask


@pytest.mark.parametrize("words", KAFKAS)
def test_a_list_with_output_table_keeps_within_forty_columns(seen, words):
    command, *rest = words.split()
    assert broken_tables(seen(" ".join([command, "--output", "table", *rest]))) == []


@pytest.mark.parametrize("words", OURS)
def test_a_table_of_our_own_keeps_within_forty_columns(seen, words):
    assert broken_tables(seen(words)) == []
