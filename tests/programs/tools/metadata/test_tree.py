"""An image is a tree of directories and files."""

from __future__ import annotations

from moldau.programs.tools.metadata.tree import Directory, lines_of


def test_a_tree_has_what_kafkas_has(root):
    image = root.child("image")
    assert isinstance(image, Directory)
    assert root.names() == ["image", "local"]
    assert image.names() == [
        "acls",
        "clientQuotas",
        "cluster",
        "configs",
        "delegationToken",
        "features",
        "producerIds",
        "provenance",
        "scram",
        "topics",
    ]
    assert image.child("nothing") is None


def test_lines_are_indented_below_their_names(root):
    lines = list(lines_of(root))
    place = lines.index("  scram:")
    assert lines[place + 1 : place + 5] == [
        "    SCRAM-SHA-256:",
        "      a:",
        "        ScramCredentialData(salt=73, storedKey=6b, serverKey=76, iterations=4096)",
        "    SCRAM-SHA-512:",
    ]
    assert any("time 2023-11-14T22:13:20.12Z[UTC]" in line for line in lines)
