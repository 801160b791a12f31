"""Fixtures are found, not imported: an imported one is a second one with a cache of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.tidy.source import Source, assert_none, python_sources


def imported_fixtures(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith(".conftest"):
            for name in node.names:
                if name.name.islower():
                    yield f"{source.path}:{node.lineno} imports {name.name} from {node.module}"


def test_no_fixture_is_imported():
    assert_none(found for source in python_sources("tests") for found in imported_fixtures(source))


def test_an_imported_fixture_is_noticed():
    bad = Source("tests/a.py", "from tests.spark.conftest import spark\n")
    assert list(imported_fixtures(bad)) == ["tests/a.py:1 imports spark from tests.spark.conftest"]
