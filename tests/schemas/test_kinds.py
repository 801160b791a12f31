"""The table of languages."""

import pytest

from moldau.schemas.kinds import KINDS, language_of
from moldau.schemas.model import InvalidSchemaError


@pytest.mark.parametrize("kind", KINDS)
def test_each_line_of_the_table_leads_to_its_language(kind):
    assert language_of(kind).name == kind


def test_an_unknown_type_is_refused_with_those_that_there_are():
    with pytest.raises(InvalidSchemaError, match="Invalid schema type XML; there are AVRO"):
        language_of("XML")
