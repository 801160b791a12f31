"""`moldau demo failover`, as it is typed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

TIMEOUT_S = 240
DEMO = [sys.executable, "-m", "moldau", "demo"]


def ran(*arguments):
    return subprocess.run(
        [*DEMO, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


def test_a_node_is_killed_and_every_acknowledged_value_is_found():
    done = ran("failover", "--json", "--seconds", "1")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["lost"], report["doubled"], report["reordered"], report["failed"]) == (
        0,
        0,
        0,
        0,
    )
    assert report["sent"] == report["acknowledged"] == report["found"] > 0
    led = [
        one["gap_ms"] for one in report["partitions"].values() if one["leader"] == report["killed"]
    ]
    assert report["gap_ms"] == max(led) > 0


def test_the_timeline_shows_what_happens():
    done = ran("failover", "--seconds", "1")
    assert done.returncode == 0, done.stderr
    happened = ["starting 3 nodes", "has 3 partitions", "is killed (SIGKILL)", "is back", "0 lost"]
    places = [done.stdout.index(text) for text in happened]
    assert places == sorted(places)
    assert done.stdout.count(" acknowledged\n") > 1
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", [["other"], ["failover", "--seconds", "0"], []])
def test_what_is_no_demo_is_wrong_usage(arguments):
    assert ran(*arguments).returncode == 2
