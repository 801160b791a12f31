"""Every language has every form, and refuses others by name."""

from __future__ import annotations

import pytest

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.shapes.form_names import FORM_NAMES
from moldau.schemas.shapes.forms import FORMS, shown_as
from tests.schemas.shapes.texts import parsed


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("AVRO", '{"type":"record","name":"R","fields":[]}'),
        ("JSON", '{"title":"R","properties":{}}'),
        ("PROTOBUF", "message R {}"),
    ],
)
def test_every_language_has_every_form_also_of_nothing(kind, text, form):
    schema = parsed(text, kind)
    assert isinstance(schema.formatted(form), str)
    with pytest.raises(InvalidSchemaError, match="has no format"):
        schema.formatted("moon")


def test_their_names_are_those_of_the_table():
    assert tuple(FORMS) == FORM_NAMES


def test_what_describes_no_value_is_refused():
    with pytest.raises(InvalidSchemaError, match="describes no value that spark could show"):
        shown_as("spark", ())
