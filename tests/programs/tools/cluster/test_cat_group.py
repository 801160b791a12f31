"""`moldau cat -G` at a real node, beside kcat where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
import uuid

import pytest

from moldau.client.admin import Admin
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.cat_group import names_or_pattern

SHOWN = "-f '%p:%o\\n'"
ALL = ["0:0", "0:1", "1:0"]


@pytest.fixture
def group():
    return f"group-{uuid.uuid4().hex[:12]}"


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("-e", []),
        ("-e -X auto.offset.reset=earliest", ALL),
        ("-e -o beginning", ALL),
        ("-e -o stored -X auto.offset.reset=earliest", ALL),
        ("-e -o -1", ["0:1", "1:0"]),
        ("-e -o 1", ["0:1"]),
        ("-e -o end", []),
        ("-c 3 -o beginning", ALL),
    ],
)
def test_a_group_begins_where_it_is_asked_to_and_ends_where_all_is_read(
    call, topic, group, words, seen
):
    code, lines = call(f"cat -G {group} {words} {SHOWN} {topic}")
    assert (code, sorted(lines)) == (0, seen)


@pytest.mark.parametrize("words", ["-e", "-e -o beginning", "-e -o -1", "-e -c 0 -o beginning"])
def test_kcat_reads_the_same(call, node, topic, group, words):
    kcat = shutil.which("kcat")
    if kcat is None:
        pytest.skip("kcat is not installed")
    asked = [kcat, "-b", node, "-G", f"{group}-kcat", *words.split(), "-f", r"%p:%o\n", topic]
    theirs = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60).stdout
    assert sorted(call(f"cat -G {group} {words} {SHOWN} {topic}")[1]) == sorted(theirs.split())


def test_what_was_read_is_committed(call, node, topic, group):
    call(f"cat -G {group} -e -o beginning {SHOWN} {topic}")
    with Admin(node) as admin:
        committed = admin.list_consumer_group_offsets([group])[group]
    assert {part.partition: at and at.offset for part, at in committed.items()} == {0: 2, 1: 1}
    assert call(f"cat -G {group} -e -X auto.offset.reset=earliest {topic}") == (0, [])


def test_remarks_name_what_came_and_where_it_ends(call, topic, group, errors):
    call(f"cat -G {group} -e {topic}")
    first, second, *ends = errors.getvalue().splitlines()
    assert first == "% Waiting for group rebalance"
    assert second == f"% Group {group} rebalanced: assigned: {topic} [0], {topic} [1]"
    assert sorted(ends[:2])[0].startswith(f"% Reached end of topic {topic} [0] at offset 2")
    assert ends[1].endswith(": exiting")


def test_a_pattern_is_one_of_topics(call, topic, group, errors):
    assert len(call(f"cat -G {group} -e -q -o beginning {SHOWN} ^{topic}")[1]) == 3
    assert call(f"cat -G {group} -e ^( {topic}")[0] == 1
    assert "is no pattern: missing )" in errors.getvalue()
    assert call(f"cat -G {group} -e absent-{topic}")[0] == 1


def test_names_beside_a_pattern_are_whole_names():
    found = names_or_pattern(["^ab", "x.y"])
    assert isinstance(found, re.Pattern)
    assert [name for name in ("abc", "x.y", "xzy", "x.yz", "cab") if found.fullmatch(name)] == [
        "abc",
        "x.y",
    ]
    assert names_or_pattern(["a", "b"]) == ["a", "b"]
    with pytest.raises(MoldauError, match="is no pattern"):
        names_or_pattern(["^("])
