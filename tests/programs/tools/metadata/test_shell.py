"""Each word of the shell does what Kafka's does."""

from __future__ import annotations

import pytest

from moldau.programs.tools.metadata.shell import Shell


def test_one_walks_and_looks(typed):
    assert typed("cd image/topics", "pwd", "ls", "cat byName/*/name", "cd ..", "pwd") == [
        "/image/topics",
        "byId",
        "byName",
        "orders",
        "/image",
    ]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("cat image", "cat: image: Is a directory"),
        ("cat no", "cat: no: No such file or directory."),
        ("tree no", "tree: no: No such file or directory."),
        ("ls no", "ls: no: no such file or directory."),
        ("find no", "find: no: no such file or directory."),
        ("cd no", "cd: no: no such directory."),
        ("cd image/provenance", "cd: image/provenance: not a directory."),
        ("man frob", "man: unknown command frob. Type help to get a list of commands."),
        ("ls 'image", "ls 'image: a quotation mark is not closed"),
    ],
)
def test_what_cannot_be_done_is_one_line(typed, line, answer):
    assert typed(line) == [answer]


def test_find_shows_all_below(typed):
    assert typed("find image/producerIds") == [
        "image/producerIds",
        "image/producerIds/nextProducerId",
    ]


def test_the_history_counts_from_nothing_and_has_the_last_lines(typed):
    assert typed("pwd", "", "history 2")[1:] == ["    0  pwd", "    1  history 2"]
    assert typed("pwd", "history 1")[1:] == ["    1  history 1"]
    assert typed("history 0") == []


def test_help_names_every_command_and_man_explains_one(typed):
    assert "    ls                   List metadata nodes." in typed("help")
    assert typed("man cd")[:3] == [
        "cd: Set the current working directory.",
        "",
        "usage: cd [target]",
    ]
    assert typed("cd -h")[0] == "usage:  cd [-h] [target]"


def test_the_tabulator_completes_commands_and_paths(root):
    shell = Shell(root, typed=True)
    assert shell.complete("c") == ["cat", "cd"]
    assert shell.complete("man h") == ["help", "history"]
    assert shell.complete("ls image/to") == ["image/topics/"]
    assert shell.complete("exit ") == []
