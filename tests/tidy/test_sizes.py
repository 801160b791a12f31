"""A function fits a screen or two, a file a sitting."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.tidy.source import Source, assert_none, python_sources

FUNCTION_LINES_MAX = 60
FILE_LINES_MAX = 600
LONGER: dict[str, int] = {}
"""Files that may be longer, with the length they have: the list and its numbers only shrink."""


def too_long(source: Source) -> Iterator[str]:
    lines = source.text.count("\n")
    if lines > LONGER.get(source.path, FILE_LINES_MAX):
        yield f"{source.path} has {lines} lines"
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES_MAX:
                yield f"{source.path}:{node.lineno} {node.name} has {length} lines"


def test_no_function_and_no_file_is_too_long():
    assert_none(complaint for source in python_sources() for complaint in too_long(source))


def test_the_list_of_longer_files_only_shrinks():
    lengths = {source.path: source.text.count("\n") for source in python_sources()}
    stale = {path: lengths.get(path, 0) for path in LONGER if lengths.get(path, 0) < LONGER[path]}
    assert stale == {}


def test_a_long_function_is_noticed():
    sample = Source("src/moldau/x.py", "def f():\n" + "    pass\n" * FUNCTION_LINES_MAX)
    assert list(too_long(sample)) == ["src/moldau/x.py:1 f has 61 lines"]


def test_a_long_file_is_noticed():
    sample = Source("src/moldau/x.py", "a = 1\n" * (FILE_LINES_MAX + 1))
    assert list(too_long(sample)) == ["src/moldau/x.py has 601 lines"]
