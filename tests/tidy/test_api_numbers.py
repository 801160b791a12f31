"""APIs are named by `ApiKey`, not by their numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.tidy.source import Source, assert_none, python_sources

ROOMS = ("src/moldau/broker/server", "src/moldau/broker/controller", "src/moldau/network")
OTHER_NUMBERS = {
    "src/moldau/broker/server/audit/things.py": "kinds of resources that have settings",
    "src/moldau/network/tls/distinguished_name.py": "tags of ASN.1",
}
FEW = 2
"""Bare numbers in a table of less are something else: versions, levels."""


def is_number(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def bare_numbers(source: Source) -> Iterator[str]:
    """Tables by, and sets of, numbers of one or two digits."""
    for node in source.nodes:
        match node:
            case ast.Dict(keys=[_, *_] as found) | ast.Set(elts=found):
                if len(found) > FEW and all(map(is_number, found)):
                    yield f"{source.path}:{node.lineno} has bare numbers"
            case ast.Compare(
                left=ast.Attribute(attr="api_key" | "KEY"), comparators=[ast.Constant()]
            ):
                yield f"{source.path}:{node.lineno} compares with a bare number"
            case _:
                pass


def test_no_table_of_apis_has_bare_numbers():
    rooms = [one for one in python_sources(*ROOMS) if one.path not in OTHER_NUMBERS]
    assert_none(complaint for one in rooms for complaint in bare_numbers(one))


def test_a_bare_number_is_noticed():
    text = "A = {19: 'a', 20: 'b', 21: 'c'}\nB = frozenset({1, 2, 3})\nif call.api_key == 3: pass\n"
    assert len(list(bare_numbers(Source("src/moldau/broker/server/x.py", text)))) == 3
