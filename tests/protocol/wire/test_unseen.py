"""Default structs that are made when they are looked at."""

from __future__ import annotations

from copy import copy

from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.fields import fields_of
from moldau.protocol.wire.schema import Data, Struct
from moldau.protocol.wire.types import Int32
from moldau.protocol.wire.unseen import UnseenDefault, is_seen, slot_of


class Parcel(Data, versions="0-1", flexible="0+"):
    weight: Int32
    customs: Note = at("0+", tag=0)
    receipt: Note = at("1+", ignorable=True)

    class Note(Struct):
        number: Int32 = -1


def test_a_default_struct_is_not_made_before_it_is_read():
    parcel = Parcel(weight=1)
    assert getattr(parcel, slot_of("customs")) is None
    assert not is_seen(parcel, "customs")
    assert parcel.customs == Parcel.Note()
    assert getattr(parcel, slot_of("customs")) is parcel.customs
    assert is_seen(parcel, "customs")


def test_what_is_changed_in_a_default_struct_stays_and_is_written():
    parcel, other = Parcel(weight=1), Parcel(weight=1)
    parcel.customs.number = 7
    assert decode(Parcel, 1, encode(parcel, 1)).customs.number == 7
    assert other.customs.number == -1


def test_a_default_struct_is_written_alike_whether_it_was_seen_or_not():
    seen, unseen = Parcel(weight=1), Parcel(weight=1)
    assert (seen.customs.number, seen.receipt.number) == (-1, -1)
    assert encode(seen, 1) == encode(unseen, 1) == b"\0\0\0\1\xff\xff\xff\xff\0\0"


def test_unknown_tags_in_a_default_struct_are_written():
    parcel = Parcel(weight=1)
    parcel.customs.unknown_tags = ((5, b"!"),)
    assert decode(Parcel, 0, encode(parcel, 0)).customs.unknown_tags == ((5, b"!"),)


def test_a_decoded_struct_equals_one_that_was_made():
    parcel = decode(Parcel, 0, encode(Parcel(weight=1), 0))
    assert parcel == Parcel(weight=1)
    assert copy(parcel) == parcel
    assert repr(parcel) == "Parcel(weight=1, customs=Note(number=-1), receipt=Note(number=-1))"


def test_only_structs_that_have_a_default_may_be_unseen():
    assert [field.is_unseen for field in fields_of(Parcel)] == [False, True, True]
    assert isinstance(vars(Parcel)["customs"], UnseenDefault)
