"""Command lines that a shell understands as they are meant."""

import shlex

from moldau.programs.console.changes.commands import command_line, with_file
from moldau.programs.console.reach import ConsoleSettings
from moldau.programs.console.values import Masks

SETTINGS = ConsoleSettings(servers="a:1,b:2", config_file="my client.properties", masks=Masks())


def test_what_a_shell_would_cut_is_quoted():
    line = command_line(SETTINGS, "topics", "--topic", "a; rm -rf x", "--partitions", 3)
    assert shlex.split(line) == [
        *("moldau", "topics", "--bootstrap-server", "a:1,b:2"),
        *("--command-config", "my client.properties"),
        *("--topic", "a; rm -rf x", "--partitions", "3"),
    ]


def test_a_file_is_written_before_it_is_read():
    first, second = with_file("f.json", {"a": "it's"}, "moldau x").splitlines()
    assert shlex.split(first) == ["echo", '{"a":"it\'s"}', ">", "f.json"]
    assert second == "moldau x"
