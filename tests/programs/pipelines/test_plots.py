"""Pictures are well-formed, and as large as their numbers."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from moldau.programs.pipelines.plots import (
    COLUMN_WIDTH_MAX,
    DAY_MS,
    HEIGHT,
    HOUR_MS,
    MARGIN,
    TOP,
    WIDTH,
    bar_chart,
    column_chart,
    figure,
    time_chart,
)

SVG = "{http://www.w3.org/2000/svg}"
EVENING_MS = int(datetime(2026, 11, 21, 20, tzinfo=UTC).timestamp() * 1_000)


def elements(svg, name):
    return ElementTree.fromstring(svg).findall(name)


def test_columns_are_stacked_and_as_high_as_their_values():
    svg = column_chart(
        ["0", "1"], {"good": [10, 5], "rejected": [0, 5], "known": [0, 0]}, "records"
    )
    heights = [float(box.attrib["height"]) for box in elements(svg, "rect")]
    assert heights[:4] == [HEIGHT - TOP, 0.0, (HEIGHT - TOP) / 2, (HEIGHT - TOP) / 2]
    texts = [text.text for text in elements(svg, "text")]
    assert {"good", "rejected", "0", "1", "10", "records"} <= set(texts)
    assert "known" not in texts
    assert "<title>1: 5 rejected</title>" in svg


@pytest.mark.parametrize(
    ("highest", "axis"),
    [
        (7_313, ["0", "5,000", "10 k"]),
        (19_999, ["0", "10 k", "20 k"]),
        (1, ["0", "0.5", "1"]),
        (0, ["0", "0.5", "1"]),
        (0.03, ["0", "0.02", "0.04"]),
        (2_400_000, ["0", "1.25 M", "2.5 M"]),
    ],
)
def test_an_axis_ends_at_a_round_number(highest, axis):
    svg = time_chart([(EVENING_MS, highest)], "records")
    texts = [text for text in elements(svg, "text") if text.attrib["text-anchor"] == "end"]
    assert [text.text for text in texts if text.text != "UTC"] == axis


def test_bars_are_as_long_as_their_values_and_say_them():
    html = bar_chart([("tea & coffee", 1_000), ("mugs", 500.25), ("none", 0)], "pieces")
    assert [float(width) for width in re.findall(r"width: ([\d.]+)%", html)] == [72.0, 36.0, 0.0]
    spans = re.findall("<span>(?:<i.*?></i>)?(.*?)</span>", html)
    assert spans == ["tea &amp; coffee", "1,000", "mugs", "500", "none", "0"]
    assert ">pieces<" in html


def test_figures_are_short_and_true():
    assert [figure(each) for each in (3, 3.0, 0.25, 1234.5)] == ["3", "3", "0.25", "1,234"]


def test_nothing_is_a_picture_too():
    assert "None." in bar_chart([], "records")
    assert elements(column_chart([], {"good": []}, "records"), "line")


def test_many_columns_have_few_labels():
    svg = column_chart([f"b{index}" for index in range(100)], {"good": [1] * 100}, "records")
    labels = [text.text or "" for text in elements(svg, "text")]
    assert 5 <= len([label for label in labels if label.startswith("b")]) <= 13


def test_a_few_columns_are_no_walls():
    svg = column_chart(["0"], {"good": [1]}, "records")
    assert float(elements(svg, "rect")[0].attrib["width"]) == COLUMN_WIDTH_MAX


def axis_of(svg):
    """What is written below the columns, from left to right, line by line."""
    below = [text for text in elements(svg, "text") if float(text.attrib["y"]) > 240]
    below.sort(key=lambda text: (float(text.attrib["y"]), float(text.attrib["x"])))
    return [text.text for text in below if text.text != "UTC"]


def test_hours_have_their_time_and_days_their_date():
    hours = [(EVENING_MS + index * HOUR_MS, 1.0) for index in range(7)]
    times = ["20:00", "21:00", "22:00", "23:00", "00:00", "01:00", "02:00"]
    assert axis_of(time_chart(hours, "records")) == [*times, "21 Nov", "22 Nov"]


def test_an_hour_without_anything_has_its_place():
    hours = [(EVENING_MS, 1.0), (EVENING_MS + 3 * HOUR_MS, 2.0)]
    svg = time_chart(hours, "records")
    left, right = (float(box.attrib["x"]) for box in elements(svg, "rect"))
    assert axis_of(svg)[:4] == ["20:00", "21:00", "22:00", "23:00"]
    assert right - left == pytest.approx(3 * (WIDTH - MARGIN) / 4, abs=0.2)


@pytest.mark.parametrize("count", [1, 13, 25, 48, 72])
def test_labels_over_time_are_few_and_round(count):
    svg = time_chart([(EVENING_MS + index * HOUR_MS, 1.0) for index in range(count)], "records")
    times = [text for text in axis_of(svg) if text and ":" in text]
    assert 1 <= len(times) <= 13
    assert all(int(text[:2]) % 6 == 0 for text in times if count == 72)


def test_days_have_dates():
    days = [(EVENING_MS - 20 * HOUR_MS + index * DAY_MS, 1.0) for index in range(3)]
    assert axis_of(time_chart(days, "records")) == ["21 Nov", "22 Nov", "23 Nov"]
