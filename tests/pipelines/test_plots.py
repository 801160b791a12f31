"""Pictures are well-formed, and as large as their numbers."""

from __future__ import annotations

from xml.etree import ElementTree

from moldau.pipelines.plots import WIDTH, bar_chart, column_chart

SVG = "{http://www.w3.org/2000/svg}"


def elements(svg, name):
    return ElementTree.fromstring(svg).findall(name)


def test_columns_are_stacked_and_as_high_as_their_values():
    svg = column_chart(["0", "1"], {"good": [10, 5], "rejected": [0, 5]})
    heights = [float(box.attrib["height"]) for box in elements(svg, "rect")]
    assert heights[:4] == [172.0, 0.0, 86.0, 86.0]
    texts = [text.text for text in elements(svg, "text")]
    assert {"good", "rejected", "0", "1", "10"} <= set(texts)


def test_bars_are_as_long_as_their_values_and_say_them():
    svg = bar_chart([("tea & coffee", 1_000), ("mugs", 500)])
    widths = [float(box.attrib["width"]) for box in elements(svg, "rect")]
    assert widths[0] == 2 * widths[1] < WIDTH
    assert [text.text for text in elements(svg, "text")][:2] == ["tea & coffee", "1,000"]


def test_nothing_is_a_picture_too():
    assert elements(bar_chart([]), "rect") == []
    assert elements(column_chart([], {"good": []}), "rect")


def test_many_columns_have_few_labels():
    svg = column_chart([f"b{index}" for index in range(100)], {"good": [1] * 100})
    labels = [text.text or "" for text in elements(svg, "text")]
    assert 5 <= len([label for label in labels if label.startswith("b")]) <= 13
