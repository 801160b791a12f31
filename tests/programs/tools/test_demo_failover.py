"""What is shown while a failover is played; the scenario itself runs in test_demo."""

from __future__ import annotations

from io import StringIO

from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.tools.demo_failover import BAR_WIDTH, Timeline


def lines_of(*bars):
    out = StringIO()
    timeline = Timeline(SimulatedClock(), out)
    for count, usual in bars:
        timeline.bar(count, usual)
    return out.getvalue().splitlines()


def test_a_bar_is_as_long_as_its_share_of_what_is_usual():
    nothing, half, all_of_it, more = lines_of((0, 80), (40, 80), (80, 80), (200, 80))
    lengths = [line.count("#") for line in (nothing, half, all_of_it, more)]
    assert lengths == [0, BAR_WIDTH // 2, BAR_WIDTH, BAR_WIDTH]
    assert more.endswith(" 200 acknowledged")
    assert nothing.startswith("   0.00 s  ")


def test_without_an_output_nothing_is_written():
    Timeline(SimulatedClock(), None).note("quiet")
