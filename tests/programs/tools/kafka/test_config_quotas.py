"""Numbers are written and read as Java does, and passwords are taken in its form."""

from math import inf

import pytest

from moldau.programs.tools.kafka.config_quotas import java_double, java_number, salted_rounds
from moldau.programs.tools.kafka.tool import ToolFailedError


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1000.0, "1000.0"),
        (0.0, "0.0"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (123456789.0, "1.23456789E8"),
        (1e11, "1.0E11"),
        (1.5e300, "1.5E300"),
        (0.001, "0.001"),
        (0.00025, "2.5E-4"),
        (-2e9, "-2.0E9"),
    ],
)
def test_a_double_is_written_as_java_does(value, shown):
    assert java_number(value) == shown


@pytest.mark.parametrize(
    ("text", "value"),
    [("10d", 10.0), ("1.f", 1.0), (" 7 ", 7.0), ("0x1p3", 8.0), (".5e1", 5.0), ("Infinity", inf)],
)
def test_a_double_is_read_as_java_does(text, value):
    assert java_double(text) == value


@pytest.mark.parametrize("text", ["1_000", "inf", "nan", "0x10", "", "1e", "\u0661"])
def test_what_is_no_double_of_javas_is_none(text):
    assert java_double(text) is None


def test_iterations_are_a_number_of_32_bits_or_the_least_that_is_allowed():
    assert [salted_rounds(text) for text in (None, "-1", "8192")] == [4096, 4096, 8192]
    for text in ("", "99999999999"):
        with pytest.raises(ToolFailedError, match=f'For input string: "{text}"'):
            salted_rounds(text)
