"""What the performance tools count and show."""

from datetime import datetime

import pytest

from moldau.programs.tools.kafka.perf_figures import Latencies, java_time, percentiles
from moldau.programs.tools.kafka.tool import ToolFailedError


def test_percentiles_are_values_that_were_measured():
    assert percentiles(range(1, 101), (0.5, 0.99, 0.999)) == [51, 100, 100]
    assert percentiles([7], (0.5, 0.999)) == [7, 7]


def test_latencies_have_rates_a_mean_and_a_maximum():
    latencies = Latencies()
    assert (latencies.mean(), latencies.most()) == (0.0, 0)
    latencies.add(10, 1024 * 1024)
    latencies.add(30, 1024 * 1024)
    assert (latencies.mean(), latencies.most()) == (20.0, 30)
    assert latencies.rates(500) == (4.0, 4.0)


def test_times_are_shown_as_simple_date_format_has_them():
    time = datetime(2026, 3, 4, 5, 6, 7, 89_000)
    time_ms = round(time.timestamp() * 1000)
    assert java_time(time_ms, "yyyy-MM-dd HH:mm:ss:SSS") == "2026-03-04 05:06:07:089"
    assert java_time(time_ms, "dd/MM/yy 'at' HH") == "04/03/26 at 05"


def test_a_letter_that_java_does_not_know_is_refused_outside_of_quotes():
    assert java_time(0, "'frob d''s'") == "frob d's"
    with pytest.raises(ToolFailedError, match="Illegal pattern character 'f'"):
        java_time(0, "yyyy f")
