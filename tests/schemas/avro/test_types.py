"""Avro's types as objects."""

from moldau.schemas.avro.types import AvroField, AvroType


def test_a_default_of_null_is_a_default():
    field = AvroField("x", AvroType("null"))
    assert not field.has_default
    null = AvroField("x", AvroType("null"))
    null.default = None
    assert null.has_default
    assert repr(field) == "AvroField(x: null)"


def test_a_named_type_is_shown_by_its_whole_name():
    assert repr(AvroType("enum", "E", "a.b")) == "AvroType(a.b.E)"
