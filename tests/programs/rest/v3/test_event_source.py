"""A browser's own EventSource reads a topic, and goes on by itself where its connection was cut."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.rest.v3.cut_connections import CutConnections

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(300),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
LISTEN = """
window.found = [];
window.source = new EventSource('%s');
source.addEventListener('record', event => {
  found.push([event.lastEventId, JSON.parse(event.data).value.data]);
});
"""


def send(rest, topic, *texts):
    lines = [
        json.dumps({"partition_id": 0, "value": {"type": "STRING", "data": text}}) for text in texts
    ]
    assert len(rest.reports(topic, "".join(lines).encode())) == len(texts)


@pytest.fixture
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        yield chromium


def test_an_event_source_has_every_record_once_over_a_cut_connection(rest, made, browser):
    host, _, port = rest.url.removeprefix("http://").rpartition(":")
    send(rest, made, "a", "b")
    with CutConnections((host, int(port))) as between:
        browser.run(f"location.href = 'http://{between.place}/topics'")
        browser.until(f"location.host == '{between.place}' && document.readyState == 'complete'")
        path = f"/v3/clusters/-/topics/{made}/records?from=earliest&format=string"
        browser.run(LISTEN % path)
        browser.until("found.length == 2")
        before = between.count
        between.cut()
        send(rest, made, "c")
        browser.until("found.length >= 3")
        assert between.count > before  # the browser has come again, by itself
        send(rest, made, "d")
        browser.until("found.length >= 4")
        found = browser.run("found")
        assert [text for _, text in found] == ["a", "b", "c", "d"]
        assert len({vector for vector, _ in found}) == 4
