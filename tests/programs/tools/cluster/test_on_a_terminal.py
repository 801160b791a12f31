"""What a person sees on a terminal of 60 columns and 14 rows."""

from __future__ import annotations

import signal

from tests.programs.tools.terminal import CODES, COLUMNS, ROWS, Terminal


def test_top_shows_a_picture_again_and_again_and_gives_the_screen_back(node, group, topic):
    terminal = Terminal("top", "-b", node, "--interval", "1")
    terminal.read_until(lambda text: text.count("cluster ") >= 2)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 0
    raw = terminal.raw
    assert raw.startswith("\x1b[?1049h\x1b[?25l\x1b[H")
    assert raw.endswith("\x1b[?25h\x1b[?1049l")
    picture = CODES.sub("", raw.split("\x1b[H")[1]).replace("\r\n", "\n").splitlines()
    assert len(picture) < ROWS
    assert max(map(len, picture)) <= COLUMNS
    assert picture[0].startswith("cluster ")
    assert any(line.startswith("TOPIC") for line in picture)
    assert any(line.startswith("GROUP") for line in picture)


def test_apply_asks_before_it_changes_anything(node, topic, tmp_path):
    path = tmp_path / "wanted.yaml"
    path.write_text(f"topics: {{{topic}: {{partitions: 3}}}}")
    terminal = Terminal("apply", "-b", node, str(path))
    asked = terminal.read_until(lambda text: text.endswith("[y/N] "))
    assert asked.splitlines() == [
        f"~ topic {topic} partitions 2 -> 3",
        "1 change.",
        "Make these changes? [y/N] ",
    ]
    terminal.type("y\n")
    assert terminal.end() == 0
    assert terminal.text.splitlines()[2:] == ["Make these changes? [y/N] y", "1 change made."]


def test_ctrl_c_ends_a_reader_without_a_trace(node, topic):
    terminal = Terminal("cat", "-C", "-b", node, "-t", topic, "-p", "0", "-q")
    terminal.read_until(lambda text: "one" in text)
    terminal.type("\x03")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    assert "Traceback" not in terminal.text
