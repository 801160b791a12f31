"""Constructors, made when a class is first instantiated."""

from __future__ import annotations

import pytest

from moldau.protocol.wire.construct import blank, default_of
from moldau.protocol.wire.fields import fields_of
from tests.protocol.wire.samples import Letter, Numbers, letter


def test_bare_fields_must_be_given():
    with pytest.raises(TypeError, match="sender"):
        Letter(stamps=[], lines=[])  # type: ignore[call-arg]  # that is the point


def test_a_list_default_is_a_fresh_list_for_each_struct():
    first, second = letter(), letter()
    first.route.append(1)
    assert second.route == []


def test_a_blank_struct_has_every_field_at_its_default():
    assert blank(Letter) == Letter(sender="", stamps=[], lines=[])
    assert blank(Numbers).id == bytes(16)


def test_a_struct_default_is_made_anew():
    postscript = next(f for f in fields_of(Letter) if f.name == "postscript")
    lines = next(f for f in fields_of(Letter) if f.name == "lines")
    assert default_of(postscript) is None
    assert default_of(lines) == []
