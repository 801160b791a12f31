"""Against Python's own calendar."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.times import iso_time, time_ms

BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
MS = st.integers(-62_000_000_000_000, 250_000_000_000_000)


@given(MS)
def test_a_moment_is_written_as_python_writes_it_and_read_back(ms):
    text = iso_time(ms)
    assert datetime.fromisoformat(text) == BEGIN + timedelta(milliseconds=ms)
    assert time_ms(text) == ms


def test_a_zone_and_missing_seconds_are_understood():
    assert time_ms("2026-01-31T13:00+01:00") == time_ms("2026-01-31T12:00:00Z")
    assert time_ms("2026-01-31T08:30:00.5-0330") == time_ms("2026-01-31T12:00:00.500Z")
    assert time_ms(17) == 17


@pytest.mark.parametrize(
    "text", ["", "2026-01-31", "2026-02-29T00:00Z", "2026-01-01T24:00Z", "2026-01-01T00:60Z", True]
)
def test_what_is_no_moment_is_refused(text):
    with pytest.raises(HttpError):
        time_ms(text)
