"""Command lines that a shell understands as they are meant."""

import re
import shlex
import subprocess

from moldau.programs.console.changes.commands import (
    admin_line,
    command_line,
    secret,
    topic_pattern,
    with_file,
)
from moldau.programs.console.reach import ConsoleSettings
from moldau.programs.console.values.masking import Masks
from tests.programs.console.shell import pasted

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


def test_a_secret_is_read_by_the_shell_that_runs_the_line():
    line = command_line(SETTINGS, "x", f"a=[password={secret('ssl.key')}]", "it's")
    assert line.startswith("read -rs SSL_KEY && moldau x ")
    shown = line.replace("moldau", "printf '%s\\n'")
    done = subprocess.run(
        ["bash", "-c", shown], input="hun'ter \\2\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-2:] == ["a=[password=hun'ter \\2]", "it's"]


def test_the_pattern_of_a_topic_is_this_topic():
    assert re.fullmatch(topic_pattern("a.b_c-d"), "a.b_c-d")
    assert not re.fullmatch(topic_pattern("a.b_c-d"), "axb_c-d")


def test_what_no_tool_does_is_a_call_in_python_with_the_settings_of_the_file(tmp_path):
    (tmp_path / "my client.properties").write_text("client.id=its\nbootstrap.servers=c:3\n")
    line = admin_line(SETTINGS, "call('it\\'s')").replace("moldau.client ", "shown ")
    (tmp_path / "shown.py").write_text(SHOWN)
    assert (
        pasted(line, tmp_path) == "{'client.id': 'its', 'bootstrap.servers': 'a:1,b:2'} it's all\n"
    )


SHOWN = """class Admin:
    def __init__(self, settings): print(settings, end=" ")
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def call(self, word): print(word, end=" "); return self
    def all(self): print("all")
"""
