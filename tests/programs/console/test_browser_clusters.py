"""Two clusters and one that is gone, in one console, as a person goes from one to another."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.interop.running_node import running_node
from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.running_console import OURS, RunningConsole
from tests.programs.console.test_chromium import CLICK

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
CHOOSE = (
    "{ const box = document.getElementById('cluster'); box.value = '%s'; "
    "box.dispatchEvent(new Event('change')); }"
)


@pytest.fixture(scope="module")
def browser():
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as chromium:
        chromium.size(1280, 800)
        yield chromium


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """Both have the topic orders, with other records in it."""
    folders = [tmp_path_factory.mktemp(name) for name in ("east", "west", "console")]
    with running_node(folders[0]) as east, running_node(folders[1]) as west:
        path = folders[2] / "application.yml"
        path.write_text(
            "akhq:\n  connections:\n"
            f"    east: {{properties: {{bootstrap.servers: '{east}'}}}}\n"
            f"    west side: {{properties: {{bootstrap.servers: '{west}'}}}}\n"
            "    gone: {properties: {bootstrap.servers: '127.0.0.1:1', default.api.timeout.ms: "
            "3000, request.timeout.ms: 1000}}\n"
        )
        console = RunningConsole(
            folders[2], "console", "--config", str(path), "--listen", "127.0.0.1:0"
        )
        for name in ("east", "west%20side"):
            changes = f"/api/clusters/{name}/changes"
            made = {"topic": "orders", "configs": {"retention.ms": "3600000"}, "partitions": 2}
            assert console.raw("POST", f"{changes}/create-topic", made, OURS)[0] == 200
            sent = {"topic": "orders", "value": f"of {name}", "key": "k"}
            assert console.raw("POST", f"{changes}/produce", sent, OURS)[0] == 200
        yield console
        console.stop()


def test_links_have_their_cluster_and_the_header_switches_to_another(browser, several):
    browser.problems.clear()
    browser.open(f"http://{several.place}/ui/topics?show=all")
    assert browser.run("location.pathname + location.search") == "/ui/clusters/east/topics?show=all"
    browser.until("document.querySelectorAll('#cluster option').length === 3")
    browser.run("document.querySelector('.vrow a').click()")
    browser.until("document.querySelector('h1').textContent === 'orders'")
    assert browser.run("location.pathname") == "/ui/clusters/east/topics/orders"
    browser.run("[...document.querySelectorAll('.tabs a')][1].click()")
    browser.until("document.querySelector('.record')?.innerText.includes('of east')")
    browser.run(CHOOSE % "west side")
    browser.until("location.pathname === '/ui/clusters/west%20side/topics'")
    browser.until("document.querySelector('.vrow a') !== null")
    browser.open(f"http://{several.place}/ui/clusters/west%20side/topics/orders/messages")
    assert "of west%20side" in browser.text()
    browser.run("document.querySelector('#nav a').click()")
    browser.until("document.querySelector('h1').textContent === 'Cluster'")
    assert browser.run("document.querySelector('#nav [aria-current]').textContent") == "Cluster"
    assert browser.problems == []


def test_a_change_is_made_in_the_cluster_of_its_page(browser, several):
    browser.open(f"http://{several.place}/ui/clusters/west%20side/topics")
    browser.run(CLICK % "Create a topic")
    browser.run("document.querySelector('dialog input').value = 'western'")
    browser.run(CLICK % "Show the change")
    browser.until("document.querySelector('dialog .command') !== null")
    browser.run(CLICK % "Do it")
    browser.until("document.querySelector('dialog .note.good') !== null")
    browser.run(CLICK % "Close")
    browser.until("location.pathname === '/ui/clusters/west%20side/topics/western'")
    topics = {row[0] for row in several.get("/clusters/east/topics")["rows"]}
    assert "western" not in topics


def test_a_cluster_that_is_gone_is_a_sentence_and_is_left_by_the_header(browser, several, tmp_path):
    browser.run(f"location.href = 'http://{several.place}/ui/clusters/gone/topics'")
    browser.until("document.querySelector('#cluster option') !== null")
    browser.until("document.body.innerText.includes('cannot reach 127.0.0.1:1')")
    browser.picture(tmp_path / "gone.png")
    browser.run(CHOOSE % "east")
    browser.until("document.querySelector('.vrow a')?.textContent === 'orders'")


def test_a_topic_is_copied_to_the_other_cluster_by_hand(browser, several, tmp_path):
    browser.size(1280, 800)
    browser.open(f"http://{several.place}/ui/clusters/east/topics/orders")
    browser.run(
        "{ const box = document.querySelector('select[aria-label=\"Change orders\"]'); "
        "box.value = 'copy'; box.dispatchEvent(new Event('change')); }"
    )
    browser.until("document.querySelector('dialog[open] input') !== null")
    browser.run("document.querySelector('dialog input').value = 'of-east'")
    browser.run("document.querySelector('dialog select').value = 'west side'")
    browser.run("document.querySelector('dialog input[type=checkbox]').checked = true")
    browser.picture(tmp_path / "asked.png")
    browser.run(CLICK % "Show the change")
    browser.until("document.querySelector('dialog .command') !== null")
    assert "moldau export" in browser.text()
    browser.picture(tmp_path / "shown.png")
    browser.run(CLICK % "Do it")
    browser.until("document.querySelector('dialog .note.good') !== null")
    assert "records 1" in browser.text()
    browser.run(CLICK % "Close")
    browser.until("location.pathname === '/ui/clusters/west%20side/topics/of-east'")
    found = several.get("/clusters/west%20side/topics/of-east/records")["records"]
    assert [one["value"]["text"] for one in found] == ["of east"]


@pytest.mark.parametrize("width", [360, 1280])
def test_all_clusters_are_on_one_page(browser, several, tmp_path, width):
    browser.size(width, 800, dark=width == 360)
    browser.open(f"http://{several.place}/ui/clusters")
    assert browser.run("location.pathname") == "/ui/clusters/east/clusters"
    browser.until("document.querySelectorAll('main .tag.good').length === 2")
    browser.until("document.querySelector('main').innerText.includes('cannot reach 127.0.0.1:1')")
    assert browser.run("document.documentElement.scrollWidth") <= width
    browser.picture(tmp_path / "clusters.png")
