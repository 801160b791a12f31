"""Paths and patterns find nodes."""

from __future__ import annotations

import pytest

from moldau.programs.tools.metadata.globs import candidates, find, names_in


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/", ["/"]),
        ("..", ["/"]),
        ("topics/byName/*/0", ["/image/topics/byName/orders/0"]),
        ("/image/topics/by?ame", ["/image/topics/byName"]),
        ("{acls,scram}", ["/image/acls", "/image/scram"]),
        ("topics/byName/orders{,-2}", ["/image/topics/byName/orders"]),
        ("{acls", []),
        ("acls}", []),
        ("s*m", ["/image/scram"]),
        ("s.ram", []),
        ("\\scram", []),
        ("producerIds/nextProducerId/x", []),
    ],
)
def test_a_path_finds_nodes(root, path, found):
    assert [one.path for one in find(root, "/image", path)] == found


def test_dots_are_taken_out_of_a_path():
    assert names_in("/a/./b/../../..//c/") == ["c"]


def test_a_path_that_was_begun_goes_on_by_what_is_there(root):
    assert candidates(root, "/", "im") == ["image/"]
    assert candidates(root, "/", "image/pr") == ["image/producerIds/", "image/provenance"]
    assert candidates(root, "/image", "topics/byName/orders/n") == ["topics/byName/orders/name"]
    assert candidates(root, "/", "nothing/a") == []
