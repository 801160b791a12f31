"""What a large cluster costs who looks at it: the console's list, and a page of metrics.

    ./dev bench console_size [--topics 5000] [--partitions 10] [--skip-list]

A node and its console run as processes of their own; all topics lie on the one node. The list of
topics is opened in Chromium, a few times, each time anew:

    paint       ms until something is painted, and until the first rows of the list are
    whole       ms until all topics are in it
    requests    of the page, and of these while the list is scrolled to its end and back
    rows        that exist in the page, of those that the list has
    scroll      ms for one step of scrolling, median and longest

Then metrics are read from a node with a thousand partitions, and from the large one:

    CPU ms      of the node for each scrape, with what it does anyway taken off
    KB          of the page
    others      p50, p99 and the longest in ms of a producer that sends one record after the other,
                while nothing is scraped and while metrics are, four times a second
"""

from __future__ import annotations

import argparse
import http.client
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench._registry_costs import running
from bench.search import OTHERS, Others
from bench.versus.meter import cpu_s, memory_mb
from moldau.client import Admin
from moldau.client.admin import NewTopic
from tests.judges.kafka_node import free_ports
from tests.programs.console.chromium import Chromium, chromium_path

AT_ONCE = 100
"""Topics that are made with one request."""
OPENED = 5
STEPS = 200
SCRAPES = 40
PAUSE_S = 0.25
SMALL_TOPICS, SMALL_PARTITIONS = 100, 10
KB = 1000
MARK = """
window.rowsMs = 0;
new MutationObserver(() => {
  if (!window.rowsMs && document.querySelector('.vrow')) window.rowsMs = performance.now();
}).observe(document, {childList: true, subtree: true});
"""
SCROLL = f"""
(async () => {{
  const list = document.querySelector('.virtual'), end = list.scrollHeight, taken = [];
  let most = 0;
  for (let step = 0; step <= 2 * {STEPS}; step += 1) {{
    const begin = performance.now();
    list.scrollTop = end * (1 - Math.abs(1 - step / {STEPS}));
    list.dispatchEvent(new Event('scroll'));
    void list.offsetHeight;
    taken.push(performance.now() - begin);
    most = Math.max(most, document.querySelectorAll('.vrow').length);
    await new Promise((done) => setTimeout(done, 0));
  }}
  return [taken, most];
}})()
"""
REQUESTS = "performance.getEntriesByType('resource').length"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


class Place(NamedTuple):
    """A node, and where it is asked."""

    process: int
    bootstrap: str
    console: str
    metrics: str


@contextmanager
def node(folder: Path) -> Iterator[Place]:
    metrics, ui = (f"127.0.0.1:{port}" for port in free_ports(2))
    given = ("--port", "0", "--data", str(folder), "--metrics-port", metrics.partition(":")[2])
    with running("start", *given, "--ui", ui.partition(":")[2]) as (process, bootstrap):
        yield Place(process, bootstrap, ui, metrics)


def make_topics(bootstrap: str, topics: int, partitions: int) -> float:
    """Seconds."""
    begin = time.perf_counter()
    with Admin(bootstrap, default_api_timeout_ms=600_000, request_timeout_ms=300_000) as admin:
        assert not admin.create_topics([NewTopic(OTHERS, partitions=1)]).errors
        for first in range(0, topics, AT_ONCE):
            names = [f"orders.region-{number:05}" for number in range(first, first + AT_ONCE)]
            found = admin.create_topics([NewTopic(name, partitions=partitions) for name in names])
            assert not found.errors, found.errors
    return time.perf_counter() - begin


def looked_at(place: Place, topics: int) -> None:
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as browser:
        browser.size(1280, 900)
        browser.before_each_page(MARK)
        print(f"{'paint ms':>10}{'rows ms':>10}{'whole ms':>10}{'requests':>10}", flush=True)
        for _ in range(OPENED):
            browser.open(f"http://{place.console}/ui/topics")
            text = "document.querySelector('[role=status]')?.textContent ?? ''"
            browser.until(f"({text}).includes(' of ') && !({text}).includes('on their way')")
            whole = browser.run("performance.now()")
            paint, rows = browser.run(PAINT), browser.run("window.rowsMs")
            asked = browser.run(REQUESTS)
            print(f"{paint:>10.0f}{rows:>10.0f}{whole:>10.0f}{asked:>10}", flush=True)
        before = browser.run(REQUESTS)
        found = browser.run(SCROLL)
        assert isinstance(found, list)
        taken, most = found
        asked = browser.run(f"{REQUESTS} - {before}")
        print(
            f"scrolled through {topics:,} topics in {len(taken)} steps: {asked} requests, "
            f"{most} rows at most, {statistics.median(taken):.1f} ms a step, "
            f"{max(taken):.1f} the longest"
        )


def scraped(place: Place) -> None:
    """One line for what a page costs."""
    size = len(metrics_page(place.metrics))  # and what is imported for the first
    others = Others(place.bootstrap)
    with others.sending():
        time.sleep(1)
        others.taken()
        idle = spent(place, scrapes=False)
        alone = others.taken()
        busy = spent(place, scrapes=True)
        beside = others.taken()
    # The producer is slower while metrics are read, so its own work is taken off by the record.
    own = busy - idle * len(beside) / max(len(alone), 1)
    print(
        f"{own / SCRAPES * 1000:>10.1f}{size / KB:>10,.0f}   {shown(alone)}   {shown(beside)}",
        flush=True,
    )


def spent(place: Place, *, scrapes: bool) -> float:
    """Seconds of the processor in the time of so many scrapes."""
    begin = cpu_s(place.process)
    for _ in range(SCRAPES):
        started = time.perf_counter()
        if scrapes:
            metrics_page(place.metrics)
        time.sleep(max(PAUSE_S - (time.perf_counter() - started), 0))
    return cpu_s(place.process) - begin


def metrics_page(address: str) -> bytes:
    link = http.client.HTTPConnection(address)
    try:
        link.request("GET", "/metrics")
        return link.getresponse().read()
    finally:
        link.close()


def shown(taken: list[float]) -> str:
    cuts = statistics.quantiles(taken, n=100)
    return f"{cuts[49]:>8.2f} {cuts[98]:>8.2f} {max(taken):>8.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--topics", type=int, default=5_000)
    parser.add_argument("--partitions", type=int, default=10)
    parser.add_argument("--skip-list", action="store_true", help="metrics alone, of the small node")
    options = parser.parse_args()
    head = f"{'CPU ms':>10}{'KB':>10}   {'others alone: p50, p99, max':>26}   while scraped"
    with tempfile.TemporaryDirectory() as folder, node(Path(folder) / "data") as small:
        make_topics(small.bootstrap, SMALL_TOPICS, SMALL_PARTITIONS)
        print(f"metrics of {SMALL_TOPICS * SMALL_PARTITIONS:,} partitions\n{head}")
        scraped(small)
    if options.skip_list:
        return
    with tempfile.TemporaryDirectory() as folder, node(Path(folder) / "data") as large:
        took = make_topics(large.bootstrap, options.topics, options.partitions)
        count = options.topics * options.partitions
        print(
            f"{options.topics:,} topics, {count:,} partitions, made in {took:.0f} s; the node has "
            f"{memory_mb(large.process):,.0f} MB"
        )
        print(f"metrics of {count:,} partitions\n{head}")
        scraped(large)
        if chromium_path() is None:
            print("there is no Chromium here, and the list is not looked at")
        else:
            looked_at(large, options.topics)


if __name__ == "__main__":
    main()
