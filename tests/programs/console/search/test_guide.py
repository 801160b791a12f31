"""The filters of the guide, in CEL and in SQL, find the same records."""

from __future__ import annotations

import json
import re

import pytest

from tests.programs.console.search.test_routes import search
from tests.tidy.source import ROOT

GUIDE = (ROOT / "docs/console.md").read_text().partition("A filter in CEL")[2]
FILTERS, QUERIES = (
    block.splitlines() for block in re.findall(r"```text\n(.*?)\n```", GUIDE, re.S)[:2]
)
FOUND = ([0, 2], [1], [0, 3])
ORDERS = (
    {"key": "customer-7", "value": json.dumps({"amount": 500.5, "lines": [{"sku": "A-1"}]})},
    {"value": json.dumps({"amount": 1}), "headers": [{"name": "source", "value": "shop"}]},
    {"key": "b", "value": json.dumps({"amount": 401, "lines": []})},
    {"key": "c", "value": json.dumps({"lines": [{"sku": "A-2"}, {"sku": "A-3"}]})},
    {"key": "d", "value": "text", "headers": [{"name": "source", "value": "web"}]},
)


@pytest.fixture
def orders(console, topic):
    for one in ORDERS:
        console.run("produce", topic=topic, **one)
    return topic


def test_what_the_guide_has_in_sql_finds_what_it_has_in_cel(console, orders):
    pytest.importorskip("celpy", reason="cel-python is not installed")
    for kept, query, wanted in zip(FILTERS, QUERIES, FOUND, strict=True):
        of_topic = query.replace("select *", 'select "offset"').replace('"orders"', f'"{orders}"')
        by_sql, _ = search(console, of_topic)
        by_cel, _ = search(console, f'select "offset" from "{orders}"', kept)
        assert (kept, by_sql.get("rows", by_sql)) == (kept, [[at] for at in wanted])
        assert (kept, by_cel.get("rows", by_cel)) == (kept, [[at] for at in wanted])
