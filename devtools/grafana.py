"""A page of Grafana: panels as data, and the JSON that Grafana imports."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

SOURCE = {"type": "prometheus", "uid": "${source}"}
SCHEMA_VERSION = 39
WIDTH, HEIGHT, STAT_HEIGHT = 24, 8, 4


@dataclass(frozen=True)
class Panel:
    """One chart, or one number where `kind` is stat."""

    title: str
    queries: tuple[tuple[str, str], ...]
    """PromQL, and the legend of its lines."""
    unit: str = "short"
    kind: str = "timeseries"


@dataclass(frozen=True)
class Dashboard:
    """A page: rows from the top, whose panels share the width."""

    name: str
    title: str
    rows: tuple[tuple[Panel, ...], ...]


def dashboard_text(dashboard: Dashboard) -> str:
    """What Grafana imports."""
    return json.dumps(_page(dashboard), indent=2) + "\n"


def _page(dashboard: Dashboard) -> dict[str, Any]:
    return {
        "uid": f"moldau-{dashboard.name}",
        "title": dashboard.title,
        "tags": ["kafka"],
        "schemaVersion": SCHEMA_VERSION,
        "refresh": "15s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [_data_source(), _instances()]},
        "panels": _panels(dashboard),
    }


def _data_source() -> dict[str, Any]:
    return {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}


def _instances() -> dict[str, Any]:
    query = "label_values(kafka_server_kafkaserver_brokerstate, instance)"
    return {
        "name": "instance",
        "label": "Node",
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": query, "refId": "instance"},
        "definition": query,
        "includeAll": True,
        "multi": True,
        "allValue": ".+",
        "current": {"text": "All", "value": "$__all"},
        "refresh": 2,
    }


def _panels(dashboard: Dashboard) -> list[dict[str, Any]]:
    panels: list[dict[str, Any]] = []
    top = 0
    for row in dashboard.rows:
        height = STAT_HEIGHT if all(panel.kind == "stat" for panel in row) else HEIGHT
        width = WIDTH // len(row)
        for place, panel in enumerate(row):
            position = {"x": place * width, "y": top, "w": width, "h": height}
            panels.append(_panel(panel, len(panels) + 1, position))
        top += height
    return panels


def _panel(panel: Panel, panel_id: int, position: dict[str, int]) -> dict[str, Any]:
    targets = [
        {
            "refId": chr(ord("A") + place),
            "datasource": SOURCE,
            "expr": query,
            "legendFormat": legend,
        }
        for place, (query, legend) in enumerate(panel.queries)
    ]
    return {
        "id": panel_id,
        "type": panel.kind,
        "title": panel.title,
        "datasource": SOURCE,
        "gridPos": position,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": targets,
    }
