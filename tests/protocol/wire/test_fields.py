"""Annotations read: what every codec, test and document works from."""

from __future__ import annotations

from moldau.protocol.wire.declaration import UNSET
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.types import INT32, RECORDS, STRING, Array, StructOf
from moldau.protocol.wire.versions import ALL, NONE, Versions
from tests.protocol.wire.samples import Letter


def field(name: str) -> Field:
    return next(f for f in fields_of(Letter) if f.name == name)


def test_fields_come_in_wire_order():
    names = [f.name for f in fields_of(Letter)]
    assert names[:5] == ["sender", "reply_to", "urgency", "stamps", "lines"]


def test_annotations_become_wire_types():
    assert field("sender").type is STRING
    assert field("stamps").type == Array(INT32)
    assert field("lines").type == Array(StructOf(Letter.Line))
    assert field("postscript").type == StructOf(Letter.Postscript)
    assert field("enclosure").type is RECORDS


def test_null_is_allowed_where_the_annotation_says_so():
    assert field("reply_to").nullable == ALL
    assert field("sender").nullable == NONE


def test_a_tag_holds_in_the_versions_of_its_field():
    assert field("route").tag == 1
    assert 2 in field("route").tagged
    assert 1 not in field("route").tagged
    assert field("sender").tagged == NONE


def test_an_entity_is_found_through_the_list_around_it():
    assert field("route").entity == "brokerId"
    assert field("stamps").entity is None


def test_a_default_is_the_zero_of_the_type_unless_one_is_declared():
    assert field("sender").default == ""
    assert field("urgency").default == 3
    assert field("reply_to").default is None
    assert field("stamps").default is UNSET
    assert field("urgency").versions.within(Versions(0, 4)) == Versions(1, 4)
