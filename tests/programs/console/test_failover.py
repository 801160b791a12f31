"""A leader is killed while the live map of three nodes is open in a browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

import moldau.testing
from moldau.client import Admin
from moldau.client.admin import NewTopic
from tests.programs.console.chromium import Chromium, chromium_path
from tests.programs.console.running_console import RunningConsole

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(chromium_path() is None, reason="there is no Chromium on this machine"),
]
TOPIC = "orders"
PARTITIONS = 12
MAIN = "document.querySelector('main').innerText"


def test_a_failover_is_seen_on_the_map_as_it_happens(tmp_path):
    with moldau.testing.Cluster(nodes=3) as cluster:
        topic = NewTopic(TOPIC, partitions=PARTITIONS, replication_factor=3)
        with Admin(cluster.bootstrap) as admin:
            assert not admin.create_topics([topic]).errors
        listen = ("--listen", "127.0.0.1:0")
        console = RunningConsole(
            tmp_path, "console", "--bootstrap-server", cluster.bootstrap, *listen
        )
        try:
            with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as browser:
                browser.size(1280, 900)
                _watch_one_die_and_come_back(browser, console, cluster, tmp_path)
        finally:
            console.stop()


def _watch_one_die_and_come_back(browser, console, cluster, folder):
    browser.open(f"http://{console.place}/ui/map?topic={TOPIC}")
    browser.until(f"{MAIN}.includes('all serve') && {MAIN}.includes('all in sync')")
    browser.run("window.isTheSamePage = true")
    browser.picture(folder / "before.png")
    killed = cluster.kill_leader(TOPIC)
    browser.until(f"{MAIN}.includes('Broker {killed} is gone')")
    browser.until(f"{MAIN}.includes('Partition 0: leader {killed} →')")
    browser.until(f"{MAIN}.includes('{PARTITIONS} under-replicated')")
    browser.until("document.querySelectorAll('rect.broker.lost').length === 1")
    browser.picture(folder / "gone.png")
    cluster.restart(killed)
    browser.until(f"{MAIN}.includes('Broker {killed} serves again')")
    browser.until(f"{MAIN}.includes('all serve') && {MAIN}.includes('all in sync')")
    browser.picture(folder / "back.png")
    assert browser.run("window.isTheSamePage"), "it was not loaded anew"
    assert browser.run("document.querySelectorAll('rect.broker.lost').length") == 0
