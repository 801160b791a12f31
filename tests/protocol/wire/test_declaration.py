"""`at(...)`."""

from __future__ import annotations

from moldau.protocol.wire.declaration import UNSET, At, at
from moldau.protocol.wire.versions import ALL, Versions


def test_nothing_declared_means_every_version_and_no_default():
    declared = at()
    assert declared == At(versions=ALL, default=UNSET)


def test_versions_are_read_from_kafkas_spelling():
    declared = at("3-5", tag=0, tagged="4+", nullable="5+")
    assert declared.versions == Versions(3, 5)
    assert declared.tagged.low == 4
    assert declared.nullable.low == 5


def test_the_absence_of_a_default_shows_itself():
    assert repr(UNSET) == "UNSET"
