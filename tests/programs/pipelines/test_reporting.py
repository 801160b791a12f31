"""A page about a run is made from its tables, and its lines open them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.etl import PIPELINE, EtlSettings
from moldau.programs.pipelines.reporting import Run, opening_line, query_line, write_report
from moldau.programs.pipelines.route import Route

HOUR = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def shown(tmp_path):
    counts = {"query": "q", "batch": 0, "read": 2, "known": 0, "good": 2, "rejected": 0}
    gold = {"hour": HOUR, "product": "tea", "country": "CZ", "records": 2, "amount": 7.5}
    tables = {
        "reconciliation": {**counts, "took_ms": 5},
        "gold": gold,
        "bronze": {"offset": 0},
        "silver": {"offset": 0},
    }
    for name, row in tables.items():
        rows = 2 if name in ("bronze", "silver") else 1
        write_deltalake(tmp_path / "lake" / name, pa.Table.from_pylist([row] * rows))
    route = Route(
        bootstrap="h:1",
        topic="orders",
        lake=str(tmp_path / "lake"),
        checkpoint="c",
        source={"kafka.sasl.password": "hunter2", "minPartitions": "3"},
    )
    settings = EtlSettings(group_by="product<")
    run = Run(pipeline=PIPELINE, route=route, settings=settings, facts={"seed": "11"})
    path = str(tmp_path / "report.html")
    return write_report(run, path, SystemFiles(), SimulatedClock(1_795_000_000_000))


def test_the_page_has_date_place_seed_and_settings(shown):
    text = Path(shown.report_path).read_text()
    assert "It adds up: 2 in = 2 out + 0 rejected." in text
    for part in (
        "<td>18 November 2026, 11:06:40 UTC</td>",
        "<td>topic orders at h:1</td>",
        "<th>seed</th><td>11</td>",
        "<th>option minPartitions</th><td>3</td>",
        '<tr class="changed"><td>group_by</td><td>product&lt;</td>',
        "<tr><td>size_max</td><td>1048576</td>",
    ):
        assert part in text
    assert "hunter2" not in text


def test_charts_over_time_have_times(shown):
    text = Path(shown.report_path).read_text()
    assert ">12:00</text>" in text
    assert ">21 Nov</text>" in text
    assert "<span>tea</span>" in text


def test_each_table_has_a_line_that_opens_it(shown):
    line = opening_line(shown.paths["gold"], {})
    assert line in Path(shown.report_path).read_text().replace("&#x27;", "'")
    names: dict[str, Any] = {}
    exec(line.replace("pyarrow.table", "frame = pyarrow.table"), names)
    assert list(names["frame"]["product"]) == ["tea"]


def test_a_table_is_asked_in_sql(shown, capfd):
    line = query_line(shown.paths["bronze"], {})
    assert line in Path(shown.report_path).read_text().replace("&#x27;", "'")
    exec(line, {})
    assert "offset" in capfd.readouterr().out


def test_what_a_store_wants_to_know_is_left_out():
    line = opening_line("s3://b/gold", {"AWS_SECRET_ACCESS_KEY": "hunter2"})
    assert "hunter2" not in line
    assert "storage_options={'AWS_SECRET_ACCESS_KEY': '…'}" in line
