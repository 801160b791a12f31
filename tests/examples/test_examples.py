"""Every example runs as its head says, against a node of ours, and prints what the head says."""

from __future__ import annotations

from pathlib import Path

import pytest

import moldau.testing
from tests.examples.running import EXAMPLES, PROGRESS, agrees, announced, check, commands
from tests.judges.java_for_spark import need_java
from tests.judges.kafka_jars import (
    MissingJudge,
    find_junit_libs,
    find_kafka_libs,
    find_spring_libs,
    find_streams_libs,
)

SPARK = {"spark_read_topic.py", "own_pipeline.py"}
PARTS = {"MoldauNode.java", "conftest.py"}
"""What other examples use."""
LIBRARIES = {
    "libs": find_kafka_libs,
    "streams-libs": find_streams_libs,
    "junit-libs": find_junit_libs,
    "spring-libs": find_spring_libs,
}
PROGRAMS = sorted(
    path
    for path in EXAMPLES.rglob("*.*")
    if path.suffix in (".py", ".java") and path.name not in PARTS
)


@pytest.fixture
def bootstrap():
    with moldau.testing.Node() as node:
        yield node.bootstrap


def libraries_of(example: Path) -> dict[str, Path]:
    """Where the folders are that its commands name, or the test is skipped."""
    if example.suffix != ".java":
        return {}
    script = commands(example.read_text())
    wanted = [name for name in LIBRARIES if f"'{name}/" in script or f":{name}/" in script]
    try:
        return {name: LIBRARIES[name]() for name in wanted}
    except MissingJudge as missing:
        pytest.skip(str(missing))


@pytest.mark.judge
@pytest.mark.timeout(420)
@pytest.mark.parametrize("example", PROGRAMS, ids=lambda path: path.name)
def test_an_example_prints_what_its_head_says(example, bootstrap, tmp_path):
    if example.name in SPARK:
        need_java()
    check(example, bootstrap, tmp_path, libraries_of(example))


def test_the_list_of_examples_names_each():
    listed = (EXAMPLES / "README.md").read_text()
    names = [path.relative_to(EXAMPLES).as_posix() for path in PROGRAMS]
    assert [name for name in names if f"({name})" not in listed] == []


HEAD = '''"""A.

    moldau start
    python a.py

prints

    on port …
    done
"""
'''


def test_a_head_has_commands_and_what_they_print():
    assert commands(HEAD) == "python a.py"
    assert announced(HEAD) == "on port …\ndone"
    comment = "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in HEAD.splitlines()[1:-1])
    assert (commands(comment), announced(comment)) == (commands(HEAD), announced(HEAD))


def test_other_output_than_announced_is_noticed():
    assert agrees(announced(HEAD), "on port 9\ndone\n")
    assert agrees("one\n…\nfour", "one\ntwo\nthree\nfour\n")
    assert not agrees("one\n…\nfour", "one\ntwo\n")
    assert agrees("", "")
    assert not agrees("", "one\n")
    assert not agrees(announced(HEAD), "on port 9\nmore\ndone\n")


def test_a_head_that_announces_nothing_is_noticed():
    with pytest.raises(AssertionError, match="what it prints"):
        announced('"""A."""\n')
    with pytest.raises(AssertionError, match="how to run it"):
        commands('"""A."""\n')


def test_lines_about_work_that_takes_long_are_left_out_and_no_other_line():
    output = "  batch 0: writing large, 0 of 1 tasks, 5 s so far\nbatch 0: 100 in, 10 out in 9 s\n"
    assert PROGRESS.sub("", output) == "batch 0: 100 in, 10 out in 9 s\n"
