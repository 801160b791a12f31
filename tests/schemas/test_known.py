"""What is known of a schema has the name that subjects may be named after."""

from __future__ import annotations

from moldau.schemas.kinds import language_of
from moldau.schemas.known import KnownSchema

NAMED = language_of("AVRO").parse('{"type":"record","name":"a.R","fields":[]}', {})


def test_the_name_of_a_record_is_that_of_its_schema():
    assert KnownSchema(frozenset(), NAMED).record_name == "a.R"
    assert KnownSchema(frozenset(), None).record_name is None
