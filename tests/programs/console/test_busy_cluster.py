"""Every page in a browser, of three nodes under load, wide and dark, and narrow and light."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.programs.console.busy_cluster import COUNTED, TOPIC
from tests.programs.console.chromium import Chromium, chromium_path

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
PAGES = {
    "cluster": "",
    "map": f"/map?topic={TOPIC}",
    "broker": "/brokers/2",
    "topics": "/topics",
    "topic": f"/topics/{TOPIC}",
    "topic-messages": f"/topics/{TOPIC}/messages",
    "topic-settings": f"/topics/{TOPIC}/settings",
    "topic-groups": f"/topics/{TOPIC}/groups",
    "topic-producers": f"/topics/{COUNTED}/producers",
    "groups": "/groups",
    "group": "/groups/slow-reports",
    "group-that-keeps-up": "/groups/billing",
    "search": f"/search?query=select%20*%20from%20%22{TOPIC}%22%20limit%2020",
    "schemas": "/schemas",
    "schema": f"/schemas/{TOPIC}-value",
    "pipelines": "/pipelines",
    "access-rules": "/acls",
    "roles": "/roles",
    "quotas": "/quotas",
    "users": "/users",
    "transactions": "/transactions",
    "reassignments": "/reassignments",
    "changes": "/changes",
    "nowhere": "/nowhere",
}


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        yield chromium


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (360, False)])
def test_each_page_of_a_busy_cluster_fits_and_has_something_to_show(
    browser, busy, tmp_path, width, dark
):
    browser.size(width, 900, dark=dark)
    browser.problems.clear()
    empty = []
    for name, page in PAGES.items():
        browser.open(f"http://{busy.place}/ui{page}")
        if name == "search":
            browser.until("document.querySelector('main').innerText.includes('rows;')")
        browser.picture(tmp_path / f"{name}.png", whole=True)
        assert browser.run("document.querySelectorAll('main h1').length") == 1, name
        assert browser.run("document.documentElement.scrollWidth") <= width, name
        if "Try again" in browser.text() or "undefined" in browser.text():
            empty.append((name, browser.text()))
    assert empty == []
    assert browser.problems == []
