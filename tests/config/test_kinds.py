"""Values are written as Java writes them."""

import pytest

from moldau.config.kinds import BOOLEAN, DOUBLE, LARGEST_DOUBLE, LIST, LONG, show


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        (True, "true"),
        (9, "9"),
        (("a", "b"), "a,b"),
        ((), ""),
        (0.5, "0.5"),
        (LARGEST_DOUBLE, "1.7976931348623157E308"),
    ],
)
def test_a_value_is_shown_as_java_shows_it(value, text):
    assert show(value) == text


def test_what_is_shown_is_read_again():
    assert DOUBLE.parse("1.7976931348623157E308") == LARGEST_DOUBLE
    assert LIST.parse("a, b") == ("a", "b")
    assert LIST.parse("") == ()
    assert BOOLEAN.parse("TRUE") is True
    assert LONG.parse("+9223372036854775807") == 2**63 - 1


@pytest.mark.parametrize(
    "text", ["٣", "1_000", "9223372036854775808", "1.0", "0x10", "9" * 5000, ""]
)
def test_a_number_of_another_kind_is_none(text):
    with pytest.raises(ValueError, match="Not a number of type LONG"):
        LONG.parse(text)
