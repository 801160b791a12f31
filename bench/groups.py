"""How long a request waits while thousands of groups are looked at: by a scrape, by the console.

    ./dev bench groups [--groups 5000] [--partitions 10] [--rounds 3] [--seconds 20]

One node with a console in its process, and groups that have committed an offset in each partition
of a topic. As in bench/scrape.py a process of its own sends one small Produce after the other, and
the longest wait of each window of time counts: of those in which something is asked for, and of as
many in which nothing is. One line for each thing that is asked for, once a second.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from bench._published import where
from bench.console_size import make_topics, metrics_page, node, page
from bench.scrape import Phase, alone, beside, row, sending
from moldau.client import AsyncAdmin

TOPIC = "orders.region-00000"
AS_BROWSERS = {"Accept-Encoding": "gzip"}
AT_ONCE = 50
"""Groups that commit at the same time."""


async def make_groups(bootstrap: str, groups: int, partitions: int) -> None:
    offsets = {(TOPIC, number): 0 for number in range(partitions)}
    async with AsyncAdmin(bootstrap) as admin:
        for first in range(0, groups, AT_ONCE):
            names = [f"reader-of-region-{number:05}" for number in range(first, first + AT_ONCE)]
            calls = [admin.alter_consumer_group_offsets(name, offsets) for name in names]
            for found in await asyncio.gather(*calls):
                found.all()


def measured(
    bootstrap: str, asks: Mapping[str, Callable[[], object]], rounds: int, seconds: float
) -> list[str]:
    found: dict[str, list[Phase]] = {name: [] for name in asks}
    without: dict[str, list[Phase]] = {name: [] for name in asks}
    with sending(bootstrap) as asked:
        for ask in asks.values():
            beside(asked, ask, 2)  # what is imported for the first
        for _ in range(rounds):
            for name, ask in asks.items():
                found[name].append(beside(asked, ask, seconds))
                without[name].append(alone(asked, found[name][-1].windows, seconds))
    heads = ("longest wait of a window, ms", "middle", "p90", "longest", "took")
    lines = [f"| {' | '.join(heads)} |", "| --- | --: | --: | --: | --: |"]
    for name in asks:
        windows = [window for one in found[name] for window in one.windows]
        took = statistics.median((end - begin) * 1000 for begin, end in windows)
        for what, phases in ((name, found[name]), ("nothing", without[name])):
            _, figures = row(what, phases)
            cells = " | ".join(f"{one:.2f}" for one in figures[:3])
            lines.append(f"| {what} | {cells} | {took:.0f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--groups", type=int, default=5000)
    parser.add_argument("--partitions", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, node(Path(folder) / "data") as place:
        make_topics(place.bootstrap, 1, options.partitions)
        asyncio.run(make_groups(place.bootstrap, options.groups, options.partitions))
        asks: dict[str, Callable[[], object]] = {
            "/metrics": partial(metrics_page, place.metrics),
            **{
                path: partial(page, place.console, path, AS_BROWSERS)
                for path in ("/api/groups", "/api/lags", f"/api/topics/{TOPIC}/groups")
            },
        }
        lines = measured(place.bootstrap, asks, options.rounds, options.seconds)
    print(f"{options.groups:,} groups of {options.partitions} partitions, {where(load)}", "")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
