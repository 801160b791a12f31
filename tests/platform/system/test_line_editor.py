"""Lines are typed, completed and ended as a terminal's are."""

from __future__ import annotations

from moldau.platform.system.line_editor import edited_lines
from tests.programs.tools.terminal import Terminal

PROGRAM = """
from moldau.platform.system.line_editor import edited_lines
for line in edited_lines("> ", lambda begun: [begun.split(" ")[-1] + "age/"]):
    print("<" + line + ">")
"""


def test_a_word_is_completed_by_the_tabulator_and_ctrl_d_ends():
    terminal = Terminal("-c", PROGRAM)
    terminal.read_until(lambda text: text.endswith("> "))
    terminal.type("ls im\t\n")
    terminal.read_until(lambda text: text.endswith("<ls image/>\n> "))
    terminal.type("\x04")
    assert terminal.end() == 0


def test_the_first_tabulator_shows_all_ways_and_ends_a_whole_word():
    ways = """[word for word in ("cat", "cut", "dog") if word.startswith(begun)]"""
    terminal = Terminal("-c", PROGRAM.replace("""[begun.split(" ")[-1] + "age/"]""", ways))
    terminal.read_until(lambda text: text.endswith("> "))
    terminal.type("c\t")
    terminal.read_until(lambda text: "cat" in text and "cut" in text)
    terminal.type("u\t\n")
    terminal.read_until(lambda text: text.endswith("<cut >\n> "))
    terminal.type("\x04")
    assert terminal.end() == 0


def test_nothing_is_edited_without_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert edited_lines("> ", lambda _: []) is None
