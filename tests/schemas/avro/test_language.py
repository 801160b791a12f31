"""Avro, as the table of languages has it."""

import pytest

from moldau.schemas.avro.language import AVRO_LANGUAGE
from moldau.schemas.model import InvalidSchemaError


def test_formats_are_the_text_itself_and_the_one_without_references():
    schema = AVRO_LANGUAGE.parse('{"type":"int"}', {})
    assert [schema.formatted(name) for name in ("", "resolved")] == ['"int"', '"int"']
    with pytest.raises(InvalidSchemaError, match="AVRO has no format 'proto'"):
        schema.formatted("proto")
    assert repr(schema) == "AvroSchema(int)"
