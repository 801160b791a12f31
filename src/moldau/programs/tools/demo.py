"""`moldau demo failover`: one of three nodes is killed under a producer, and all values counted."""

from __future__ import annotations

import json
import logging
from argparse import ArgumentParser, Namespace

from moldau.platform.system.tasks import run as run_tasks
from moldau.programs.tools.command import World
from moldau.programs.tools.demo_failover import Failover, Timeline
from moldau.programs.tools.failover_report import Report
from moldau.testing.cluster import Cluster

__all__ = ["declare", "run"]

NODES = 3
SECONDS_MAX = 60
LOST = 1
CLIENTS = "moldau.client"
"""Their warnings are of the node that is killed, which the timeline has with its time."""
SETTINGS = {"default.replication.factor": NODES, "min.insync.replicas": 2}


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=["failover"], help="a node is killed under a producer")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=2,
        help=f"how long it is quiet before the kill, and after it; 1 to {SECONDS_MAX} (2)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object at the end, and no timeline"
    )


def run(options: Namespace, world: World) -> int:
    timeline = Timeline(world.clock, None if options.json else world.out)
    timeline.note(f"starting {NODES} nodes")
    logging.getLogger(CLIENTS).setLevel(logging.ERROR)
    with Cluster(NODES, settings=SETTINGS) as cluster:
        report = run_tasks(lambda tasks: Failover(cluster, tasks, timeline, options.seconds).play())
    world.out.write(_written(report, as_json=options.json))
    return LOST if report.lost or report.doubled or report.reordered else 0


def _seconds(text: str) -> int:
    seconds = int(text)
    if not 1 <= seconds <= SECONDS_MAX:
        raise ValueError(text)
    return seconds


def _written(report: Report, *, as_json: bool) -> str:
    if as_json:
        return json.dumps(report.as_json()) + "\n"
    return "\n".join(["", *report.lines(), ""])
