"""Numbers are written as Java writes them."""

import pytest

from moldau.programs.tools.kafka.config_quotas import java_number


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
