"""Names and namespaces of Avro."""

import pytest

from moldau.schemas.avro.names import ensure_name, split_name
from moldau.schemas.model import InvalidSchemaError


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (("R", None, ""), ("R", "")),
        (("R", None, "around"), ("R", "around")),
        (("R", "own", "around"), ("R", "own")),
        (("R", "", "around"), ("R", "")),
        (("full.R", "own", "around"), ("R", "full")),
    ],
)
def test_a_name_with_dots_has_its_namespace_with_it(given, found):
    assert split_name(*given) == found


@pytest.mark.parametrize(
    "given", [("", None, ""), (1, None, ""), ("a b", None, ""), ("R", "a-b", "")]
)
def test_what_is_no_name_is_refused(given):
    with pytest.raises(InvalidSchemaError):
        split_name(*given)


def test_a_field_needs_a_name():
    with pytest.raises(InvalidSchemaError, match="a field has no name"):
        ensure_name(None, "a field")
