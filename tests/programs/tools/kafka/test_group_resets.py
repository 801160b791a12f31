"""Times and durations as `--to-datetime` and `--by-duration` take them."""

import pytest

from moldau.errors import MoldauError
from moldau.programs.tools.kafka.group_resets import ago_ms, time_ms


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("PT1H", 3_600_000), ("P1DT2M", 86_520_000), ("PT0.5S", 500), ("-PT1S", -1000)],
)
def test_a_duration_is_iso_8601(text, milliseconds):
    assert ago_ms(text) == milliseconds


@pytest.mark.parametrize("text", ["frog", "P", "1H", ""])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(MoldauError, match="cannot be parsed to a Duration"):
        ago_ms(text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1970-01-01T00:00:01.500", 1500),
        ("1970-01-01T01:00:00.000+01", 0),
        ("1970-01-01T00:00:00.0Z", 0),
    ],
)
def test_a_time_without_a_zone_is_utc(text, moment):
    assert time_ms(text) == moment


@pytest.mark.parametrize("text", ["frog", "1970-01-01", "1970-01-01Tfrog", "1970-01-01T00:00:00Z"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(MoldauError):
        time_ms(text)
