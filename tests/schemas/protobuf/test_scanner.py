"""Constants, and what is shown where something else was expected."""

import pytest

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.scanner import Scanner


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("0x1f", 31),
        ("017", 15),
        ("0", 0),
        ("1.5e1", 15.0),
        ("-inf", float("-inf")),
        ("true", True),
        ("SPEED", "SPEED"),
        ("\"a\" 'b'", "ab"),
    ],
)
def test_a_constant_is_a_value(text, value):
    assert Scanner(text).constant() == value


def test_what_was_expected_is_named_with_its_line():
    with pytest.raises(InvalidSchemaError, match="line 2: ';' was expected, and there is 'b'"):
        Scanner("\nb").expect(";")
    with pytest.raises(InvalidSchemaError, match="is at its end"):
        Scanner("").name()
