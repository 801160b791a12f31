"""A page of Grafana has its panels side by side, each with its queries."""

from __future__ import annotations

import json

from devtools.grafana import Dashboard, Panel, dashboard_text

PAGE = Dashboard(
    "small",
    "Small",
    (
        (Panel("One", (("max(a)", ""),), kind="stat"), Panel("Two", (("b", ""),), kind="stat")),
        (Panel("Three", (("c", "{{x}}"), ("d", "d")), "ms"),),
    ),
)


def test_rows_stand_below_each_other_and_share_the_width():
    panels = json.loads(dashboard_text(PAGE))["panels"]
    assert [panel["gridPos"] for panel in panels] == [
        {"x": 0, "y": 0, "w": 12, "h": 4},
        {"x": 12, "y": 0, "w": 12, "h": 4},
        {"x": 0, "y": 4, "w": 24, "h": 8},
    ]
    assert [panel["id"] for panel in panels] == [1, 2, 3]


def test_a_panel_has_a_line_for_each_query():
    panel = json.loads(dashboard_text(PAGE))["panels"][2]
    shown = [(one["refId"], one["expr"], one["legendFormat"]) for one in panel["targets"]]
    assert shown == [("A", "c", "{{x}}"), ("B", "d", "d")]
    assert panel["fieldConfig"]["defaults"]["unit"] == "ms"


def test_the_data_source_is_asked_for_on_import():
    page = json.loads(dashboard_text(PAGE))
    assert page["templating"]["list"][0]["type"] == "datasource"
    assert {panel["datasource"]["uid"] for panel in page["panels"]} == {"${source}"}
