"""What a declared message is as a Python class."""

from __future__ import annotations

from copy import copy

import pytest

from moldau.protocol.wire.schema import Struct, structs_of
from moldau.protocol.wire.versions import Versions
from tests.protocol.wire.samples import Letter, Numbers, letter


def test_a_message_knows_its_key_versions_and_listeners():
    assert (Letter.KEY, Letter.KIND, Letter.LISTENERS) == (99, "request", ("broker",))
    assert Versions(0, 4) == Letter.VERSIONS
    assert 2 in Letter.FLEXIBLE
    assert 1 not in Letter.FLEXIBLE


def test_structs_are_equal_when_all_their_fields_are():
    assert letter() == letter()
    assert letter() != letter(stamps=[])
    assert letter() != "letter"


def test_a_struct_shows_every_field():
    assert repr(Letter.Line(number=1, text="x", words=[])) == "Line(number=1, text='x', words=[])"


def test_a_field_that_does_not_exist_cannot_be_set():
    with pytest.raises(AttributeError):
        setattr(letter(), "sendr", "Max")  # noqa: B010  # a checker would see it


def test_a_copy_is_equal_and_separate():
    first = letter()
    twin = copy(first)
    assert twin == first
    twin.sender = "Ottla"
    assert first.sender == "Milena"


def test_structs_of_a_message_come_outermost_first():
    assert list(structs_of(Letter)) == [Letter, Letter.Line, Letter.Postscript]
    assert list(structs_of(Numbers)) == [Numbers]
    assert all(issubclass(cls, Struct) for cls in structs_of(Letter))
