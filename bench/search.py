"""What searches by SQL in a topic of many records cost: time, memory, and the broker's others.

    ./dev bench search [--records 20000000]

A node and a console run as processes of their own. Small records are written compressed into four
partitions, and searched by queries that read all of them or a part, that find nearly nothing,
everything or one number, and one that needs more memory than it may have. For each query:

    s           from the request to the last event
    read        offsets that were read, in millions
    CPU us      of the console with the search's process, and of the node, for each record read
    MB          the highest resident memory of the console while it ran, and what it had before
    child       that of the search's process, in MB, as it was at an event
    events      of progress that came, and the longest wait between two of them
    others      p50 and p99 in ms of a producer that sends one record after the other meanwhile

Then a search is left in its middle: how long until the console has stopped working for it.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bench._registry_costs import running
from bench.versus.meter import PROC, cpu_s, tree
from moldau.client import Admin, Producer
from moldau.client.admin import NewTopic
from moldau.client.sync.producer import TableDelivery

TOPIC, OTHERS = "orders", "others"
PARTITIONS = 4
ROWS = 250_000
"""Of a table that is sent as a whole."""
TABLES_WAITING = 4
FIRST_MS = 1_700_000_000_000
BEFORE_S = 5
MILLION = 1_000_000
RESET_PEAK = "5"
"""What /proc's clear_refs takes to forget the highest resident memory."""
TICK_S = 0.05
QUIET_CPU_S = 0.02


class Query(NamedTuple):
    """One search, and what it is."""

    what: str
    sql: str


def queries(records: int) -> list[Query]:
    """`records` is how many there are, so that bounds lie in the middle of them."""
    middle = records // PARTITIONS // 2
    some = records // 100
    moment = f"epoch_ms({FIRST_MS + records - some})"
    since = _sql_time(FIRST_MS + records - some)
    return [
        Query("all, cut", f'select * from "{TOPIC}"'),
        Query("none", f"""select "offset" from "{TOPIC}" where value like '%no such text%'"""),
        Query(
            "rare, JSON", f"""select * from "{TOPIC}" where (json->>'$.id')::int = {records - 7}"""
        ),
        Query("counted", f'select partition, count(*), max("offset") from "{TOPIC}" group by all'),
        Query("added", f"""select sum((json->>'$.amount')::int) from "{TOPIC}" """),
        Query("the largest", f'select * from "{TOPIC}" order by value desc limit 10'),
        Query("too much", f'select value, count(*) from "{TOPIC}" group by all order by 2'),
        Query("an offset", f'select * from "{TOPIC}" where "offset" = {middle}'),
        Query("offsets", f'select count(*) from "{TOPIC}" where "offset" >= {middle}'),
        Query("a time", f"select count(*) from \"{TOPIC}\" where timestamp >= '{since}'"),
        Query("a key", f"select * from \"{TOPIC}\" where key = 'key-7' limit 1"),
        Query("a moment", f'select count(*) from "{TOPIC}" where timestamp >= {moment}'),
    ]


def _sql_time(moment_ms: int) -> str:
    return str(np.datetime64(moment_ms, "ms")).replace("T", " ")


def fill(place: str, records: int) -> None:
    """Keys repeat, values do not."""
    kept = {"retention.ms": "-1"}
    topics = [NewTopic(TOPIC, partitions=PARTITIONS, configs=kept), NewTopic(OTHERS, partitions=1)]
    settings = {"compression_type": "zstd", "batch_size": 1 << 20}
    with Admin(place) as admin, Producer(place, **settings) as producer:
        assert not admin.create_topics(topics).errors
        waiting: deque[TableDelivery] = deque()
        for first in range(0, records, ROWS):
            waiting.append(producer.send_arrow(TOPIC, table(first, min(ROWS, records - first))))
            if len(waiting) > TABLES_WAITING:
                waiting.popleft().result()
        for delivery in waiting:
            delivery.result()


def table(first: int, rows: int) -> pa.Table:
    numbers = np.arange(first, first + rows)
    ids = pc.cast(pa.array(numbers), pa.string())
    amounts = pc.cast(pa.array(numbers * 7 % 1000), pa.string())
    joined = pc.binary_join_element_wise('{"id":', ids, ',"amount":', amounts, "}", "")
    keys = pc.cast(pa.array(numbers % 1000), pa.string())
    return pa.table(
        {
            "key": pc.binary_join_element_wise("key", keys, "-").cast(pa.binary()),
            "value": joined.cast(pa.binary()),
            "timestamp": numbers + FIRST_MS,
        }
    )


class Others:
    """A producer that sends one record after the other, in a thread, and how long each took."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._ends = threading.Event()
        self._taken: list[float] = []
        self._thread = threading.Thread(target=self._send)

    @contextmanager
    def sending(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._ends.set()
            self._thread.join()

    def taken(self) -> list[float]:
        """In ms, since this was asked last."""
        taken, self._taken = self._taken, []
        return taken

    def _send(self) -> None:
        with Producer(self._place) as producer:
            while not self._ends.is_set():
                begin = time.perf_counter()
                producer.send(OTHERS, b"one").result()
                self._taken.append((time.perf_counter() - begin) * 1000)


class Found(NamedTuple):
    """What the events of a search were."""

    kind: str
    value: dict[str, Any]
    read: int
    events: int
    longest_wait_s: float


def search(address: str, sql: str, seen: Callable[[], object]) -> Found:
    """`seen` is called with each event."""
    link = http.client.HTTPConnection(address)
    link.request("GET", f"/api/search?query={quote(sql)}")
    answer = link.getresponse()
    assert answer.status == 200, answer.read()
    read = events = 0
    last, longest = time.perf_counter(), 0.0
    for kind, value in _events(answer):
        seen()
        now = time.perf_counter()
        last, longest = now, max(longest, now - last)
        if kind != "progress":
            link.close()
            return Found(kind, value, read, events, longest)
        read, events = value["read"], events + 1
    raise AssertionError("a search ended without a last event")


def _events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, dict[str, Any]]]:
    kind = ""
    for line in answer:
        if line.startswith(b"event: "):
            kind = line.removeprefix(b"event: ").decode().strip()
        if line.startswith(b"data: "):
            yield kind, json.loads(line.removeprefix(b"data: "))


def left_in_the_middle(address: str, console: int, sql: str) -> float:
    """Seconds from closing the connection until the search's process has ended and the console
    takes no processor time."""
    link = http.client.HTTPConnection(address)
    link.request("GET", f"/api/search?query={quote(sql)}")
    events = _events(link.getresponse())
    while next(events)[1]["read"] == 0:
        pass
    link.close()
    begin = time.perf_counter()
    while True:
        before, is_left = cpu_s(console), len(list(tree(console))) > 1
        time.sleep(TICK_S)
        if not is_left and cpu_s(console) - before <= QUIET_CPU_S:
            return time.perf_counter() - begin - TICK_S


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--records", type=int, default=20 * MILLION)
    parser.add_argument("--only", help="the query of this name alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        given = ("--port", "0", "--data", str(Path(folder) / "data"))
        with running("start", *given) as (node, place):
            begin = time.perf_counter()
            fill(place, options.records)
            size = sum(one.stat().st_size for one in Path(folder).rglob("*.log"))
            took = time.perf_counter() - begin
            print(f"{options.records:,} records, {size / MILLION:,.0f} MB, written in {took:.0f} s")
            ask = ("console", "--bootstrap-server", place, "--listen", "127.0.0.1:0")
            with running(*ask) as (console, address):
                measured(place, node, console, address, options)


def measured(
    place: str, node: int, console: int, address: str, options: argparse.Namespace
) -> None:
    others = Others(place)
    with others.sending():
        time.sleep(BEFORE_S)
        before = others.taken()
        print(f"others alone: {_milliseconds(before)}")
        print(
            f"{'':>12}{'s':>7}{'read M':>8}{'console us':>11}{'node us':>9}{'MB':>12}{'child':>7}"
            f"{'events':>8}{'wait s':>8}{'others ms':>17}  found"
        )
        for query in queries(options.records):
            if options.only in (None, query.what):
                print(_row(query, node, console, address, others), flush=True)
    for query in queries(options.records)[1:4]:
        seconds = left_in_the_middle(address, console, query.sql)
        print(f"left in the middle of {query.what}: quiet after {seconds:.2f} s")


def _row(query: Query, node: int, console: int, address: str, others: Others) -> str:
    rested = _memory_mb(console, "VmRSS")
    (PROC / str(console) / "clear_refs").write_text(RESET_PEAK)
    spent, of_node = cpu_s(console), cpu_s(node)
    others.taken()
    begin = time.perf_counter()
    peaks = [0.0]
    found = search(address, query.sql, lambda: peaks.append(_child_mb(console)))
    took = time.perf_counter() - begin
    waits = _milliseconds(others.taken())
    each = max(found.read, 1) / MILLION
    own, its = (cpu_s(console) - spent) / each, (cpu_s(node) - of_node) / each
    memory = f"{_memory_mb(console, 'VmHWM'):,.0f} ({rested:,.0f})"
    shown = found.value.get("message") or f"{len(found.value['rows'])} rows"
    return (
        f"{query.what:>12}{took:>7.1f}{found.read / MILLION:>8.2f}{own:>11.2f}{its:>9.2f}"
        f"{memory:>12}{max(peaks):>7,.0f}"
        f"{found.events:>8}{found.longest_wait_s:>8.2f}{waits:>17}  {shown[:80]}"
    )


def _child_mb(console: int) -> float:
    """The highest of its search; none where that has ended."""
    _, *children = tree(console)
    return max((_memory_mb(one, "VmHWM") for one in children), default=0.0)


def _memory_mb(process: int, field: str) -> float:
    try:
        text = (PROC / str(process) / "status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    for line in text.splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1000 * 1.024
    return 0.0


def _milliseconds(taken: list[float]) -> str:
    if len(taken) < 100:
        return f"{len(taken)} sends"
    cuts = statistics.quantiles(taken, n=100)
    return f"{cuts[49]:.2f} / {cuts[98]:.2f}"


if __name__ == "__main__":
    main()
