"""What a large cluster costs who looks at it: the console's list, and a page of metrics.

    ./dev bench console_size [--topics 5000] [--partitions 10] [--skip-list] [--publish]

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
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

from bench._published import publish, where
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
ROUNDS = 8
SCRAPES = 10
"""Of a round; as long as they take, the node is left alone before them."""
PAUSE_S = 0.25
CALM_CPU_S = 0.05
"""In a second; with more, the node is still busy with the topics that were just made."""
CALM_TRIES = 60
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
SLOW_MS = 1_000
"""Then it is looked at, where the time went."""
TIMES = """
performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource')).map(
  (one) => [one.startTime, one.requestStart, one.responseStart, one.responseEnd].map(Math.round)
    .join(' ') + ' ' + one.name.replace(location.origin, ''))
"""
"""Of each request: wanted, sent, first byte, last byte."""
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


class Opened(NamedTuple):
    """One opening of the list, in ms from its navigation."""

    paint: float
    rows: float
    whole: float
    requests: int


class Scrolled(NamedTuple):
    """The list from its beginning to its end and back."""

    steps: int
    requests: int
    rows_max: int
    middle_ms: float
    longest_ms: float


class ScrapeCost(NamedTuple):
    """One line for what a page of metrics costs."""

    partitions: int
    cpu_ms: float
    kilobytes: float
    alone: list[float]
    beside: list[float]


def looked_at(place: Place, topics: int, opened: int) -> tuple[list[Opened], Scrolled]:
    with tempfile.TemporaryDirectory() as folder, Chromium(Path(folder)) as browser:
        browser.size(1280, 900)
        browser.before_each_page(MARK)
        print(f"{'paint ms':>10}{'rows ms':>10}{'whole ms':>10}{'requests':>10}", flush=True)
        found = [one_opening(browser, place) for _ in range(opened)]
        before = browser.run(REQUESTS)
        taken, most = cast("tuple[list[float], int]", browser.run(SCROLL))
        asked = cast("int", browser.run(f"{REQUESTS} - {before}"))
    middle, longest = statistics.median(taken), max(taken)
    print(
        f"scrolled through {topics:,} topics in {len(taken)} steps: {asked} requests, "
        f"{most} rows at most, {middle:.1f} ms a step, {longest:.1f} the longest"
    )
    return found, Scrolled(len(taken), asked, most, middle, longest)


def one_opening(browser: Chromium, place: Place) -> Opened:
    """Where it is slow, each request is printed with when it began and ended."""
    browser.open(f"http://{place.console}/ui/topics")
    text = "document.querySelector('[role=status]')?.textContent ?? ''"
    browser.until(f"({text}).includes(' of ') && !({text}).includes('on their way')")
    whole = cast("float", browser.run("performance.now()"))
    paint, rows = browser.run(PAINT), browser.run("window.rowsMs")
    asked = browser.run(REQUESTS)
    found = Opened(cast("float", paint), cast("float", rows), whole, cast("int", asked))
    print(f"{found.paint:>10.0f}{found.rows:>10.0f}{whole:>10.0f}{asked:>10}", flush=True)
    if found.rows > SLOW_MS:
        for line in cast("list[str]", browser.run(TIMES)):
            print(f"            {line}", flush=True)
    return found


def scraped(place: Place, partitions: int) -> ScrapeCost:
    size = len(metrics_page(place.metrics))  # and what is imported for the first
    cpu_ms = scrape_cpu_ms(place)
    others = Others(place.bootstrap)
    with others.sending():
        time.sleep(1)
        others.taken()
        pass_rounds(place, scrapes=False)
        alone = others.taken()
        pass_rounds(place, scrapes=True)
        beside = others.taken()
    found = ScrapeCost(partitions, cpu_ms, size / KB, cuts(alone), cuts(beside))
    print(
        f"{found.cpu_ms:>10.1f}{found.kilobytes:>10,.0f}   {shown(found.alone)}   "
        f"{shown(found.beside)}",
        flush=True,
    )
    return found


def scrape_cpu_ms(place: Place) -> float:
    """Of the node for one scrape: the median of rounds, each compared with the seconds before."""
    for _ in range(CALM_TRIES):
        begin = cpu_s(place.process)
        time.sleep(1)
        if cpu_s(place.process) - begin < CALM_CPU_S:
            break
    own = []
    for _ in range(ROUNDS):
        idle = spent(place, scrapes=False)
        own.append(spent(place, scrapes=True) - idle)
    return statistics.median(own) / SCRAPES * 1000


def pass_rounds(place: Place, *, scrapes: bool) -> None:
    for _ in range(ROUNDS // 2):
        spent(place, scrapes=scrapes)


def spent(place: Place, *, scrapes: bool) -> float:
    """Seconds of the processor in the time of a round."""
    begin = cpu_s(place.process)
    for _ in range(SCRAPES):
        started = time.perf_counter()
        if scrapes:
            metrics_page(place.metrics)
        time.sleep(max(PAUSE_S - (time.perf_counter() - started), 0))
    return cpu_s(place.process) - begin


def metrics_page(address: str) -> bytes:
    return page(address, "/metrics", {})


def page(address: str, path: str, headers: Mapping[str, str]) -> bytes:
    link = http.client.HTTPConnection(address)
    try:
        link.request("GET", path, headers=headers)
        answer = link.getresponse()
        found = answer.read()
        assert answer.status == 200, (path, answer.status)
        return found
    finally:
        link.close()


def cuts(taken: list[float]) -> list[float]:
    """p50, p99 and the longest."""
    found = statistics.quantiles(taken, n=100)
    return [found[49], found[98], max(taken)]


def shown(found: list[float]) -> str:
    return " ".join(f"{one:>8.2f}" for one in found)


def page_lines(
    scrapes: list[ScrapeCost], topics: int, opened: list[Opened], scrolled: Scrolled
) -> Iterator[str]:
    """As docs/performance.md has them."""
    yield "| scrape at | CPU ms | KB | a producer alone: p50, p99, longest ms | while scraped |"
    yield "| --- | --: | --: | --: | --: |"
    for one in scrapes:
        waits = " | ".join(", ".join(f"{ms:.2f}" for ms in two) for two in (one.alone, one.beside))
        yield (
            f"| {one.partitions:,} partitions | {one.cpu_ms:.1f} | {one.kilobytes:,.0f} | {waits} |"
        )
    yield ""
    yield f"| the list of {topics:,} topics, opened {len(opened)} times | least | middle | most |"
    yield "| --- | --: | --: | --: |"
    for name, found in (
        ("first paint, ms (aim: 1,000)", [one.paint for one in opened]),
        ("first rows, ms", [one.rows for one in opened]),
        ("all topics, ms", [one.whole for one in opened]),
    ):
        middle = statistics.median(found)
        yield f"| {name} | {min(found):,.0f} | {middle:,.0f} | {max(found):,.0f} |"
    yield ""
    yield (
        f"Scrolled to its end and back in {scrolled.steps} steps: {scrolled.requests} requests, "
        f"{scrolled.rows_max} rows at most, {scrolled.middle_ms:.1f} ms a step in the middle and "
        f"{scrolled.longest_ms:.1f} the longest."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--topics", type=int, default=5_000)
    parser.add_argument("--partitions", type=int, default=10)
    parser.add_argument("--opened", type=int, default=OPENED, help="how often the list is")
    parser.add_argument("--skip-list", action="store_true", help="metrics alone, of the small node")
    parser.add_argument("--publish", action="store_true", help="write it into docs/performance.md")
    options = parser.parse_args()
    if options.publish and (options.skip_list or chromium_path() is None):
        parser.error("only a whole run is published, with Chromium")
    load = os.getloadavg()[0]
    head = f"{'CPU ms':>10}{'KB':>10}   {'others alone: p50, p99, max':>26}   while scraped"
    with tempfile.TemporaryDirectory() as folder, node(Path(folder) / "data") as small:
        make_topics(small.bootstrap, SMALL_TOPICS, SMALL_PARTITIONS)
        print(f"metrics of {SMALL_TOPICS * SMALL_PARTITIONS:,} partitions\n{head}")
        scrapes = [scraped(small, SMALL_TOPICS * SMALL_PARTITIONS)]
    if options.skip_list:
        return
    with tempfile.TemporaryDirectory() as folder, node(Path(folder) / "data") as large:
        took = make_topics(large.bootstrap, options.topics, options.partitions)
        count = options.topics * options.partitions
        made = (
            f"{options.topics:,} topics, {count:,} partitions, made in {took:.0f} s; the node has "
            f"{memory_mb(large.process):,.0f} MB"
        )
        print(f"{made}\nmetrics of {count:,} partitions\n{head}")
        scrapes.append(scraped(large, count))
        if chromium_path() is None:
            print("there is no Chromium here, and the list is not looked at")
            return
        opened, scrolled = looked_at(large, options.topics, options.opened)
    if options.publish:
        lines = page_lines(scrapes, options.topics, opened, scrolled)
        publish("console_size", [f"{where(load)} {made}.", "", *lines])


if __name__ == "__main__":
    main()
