"""How many schemas a registry and how many records a proxy takes a second, by HTTP; and its goals.

    ./dev bench http

A node, a registry and a proxy run as processes of their own, on this machine beside what asks
them, over one kept connection and over several. Each client sends its next request when the answer
to the one before is there, so the time of a request is what its caller waits. Of the registry's
work it is the cheapest: a schema by its id. The proxy gets lists of a hundred records in JSON, and
answers when the node has them.

Beside that: what 20,000 schemas take in memory, how much longer a node starts with a registry, and
what the validation of records by their schemas costs the node.
"""

from __future__ import annotations

import http.client
import json
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from bench._registry_costs import (
    SCHEMAS,
    memory_of_schemas,
    running,
    start_costs,
    validation_cost,
)
from bench.versus.meter import cpu_s

Client: TypeAlias = Callable[[str, list[float]], None]
ROUNDS = 5
REQUESTS = 2_000
"""Of each client and round."""
CLIENTS = (1, 4)
BATCH = 100
BATCHES = 200
"""Of each client and round."""
JSON_RECORDS = "application/vnd.kafka.json.v2+json"
SCHEMA = {"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as programs:
        data = str(Path(folder) / "data")
        found = _free_port()
        node, place = programs.enter_context(
            running("start", "--port", "0", "--data", data, "--registry", str(found))
        )
        address = f"127.0.0.1:{found}"
        _validation(node, place, address)
        given = ("--bootstrap-server", place, "--listen", "127.0.0.1:0")
        _, own = programs.enter_context(running("registry", *given, "--topic", "_own"))
        rest, proxied = programs.enter_context(running("rest", *given))
        _register(own)
        print(f"{'clients':>8}{'requests/s':>12}{'spread':>8}{'p50 ms':>9}{'p99 ms':>9}")
        rates = [_measure(own, clients, REQUESTS, 1, _ask) for clients in CLIENTS]
        _judge("registry reads a second", max(rate for rate, _ in rates), 3_000, is_least=True)
        _judge("p99 of one client, ms", rates[0][1], 5)
        print(f"{'clients':>8}{'records/s':>12}{'spread':>8}{'p50 ms':>9}{'p99 ms':>9}")
        _produce(
            proxied, []
        )  # not counted: it makes the topic, and all is called for the first time
        begin, count = cpu_s(rest), sum(CLIENTS) * ROUNDS * BATCHES * BATCH
        rates = [_measure(proxied, clients, BATCHES, BATCH, _produce) for clients in CLIENTS]
        print(f"CPU of the proxy, us a record: {(cpu_s(rest) - begin) / count * 1e6:.1f}")
        _judge("records a second by REST", max(rate for rate, _ in rates), 30_000, is_least=True)
        _judge(f"{SCHEMAS:,} schemas, MB", memory_of_schemas(place), 100)
        walls, cpus = start_costs(Path(folder))
        print(f"start with a registry, s of CPU more: {statistics.median(cpus):.2f}")
        _judge("start with a registry, s more", statistics.median(walls), 0.5)


def _validation(node: int, place: str, address: str) -> None:
    costs = validation_cost(node, place, address)
    print(f"validation, us a record, by rounds: {', '.join(f'{one:.2f}' for one in costs)}")
    _judge("validation, us a record", statistics.median(costs), 1.5)


def _judge(what: str, found: float, goal: float, *, is_least: bool = False) -> None:
    is_met = found >= goal if is_least else found <= goal
    word = "met" if is_met else "MISSED"
    print(f"{word:>8} {what}: {found:,.2f}, goal {'>=' if is_least else '<='} {goal:,}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _register(address: str) -> None:
    link = http.client.HTTPConnection(address)
    body = json.dumps({"schema": json.dumps(SCHEMA)})
    link.request("POST", "/subjects/s/versions", body)
    assert json.loads(link.getresponse().read())["id"] == 1
    link.close()


def _measure(
    address: str, clients: int, requests: int, weight: int, ask: Client
) -> tuple[float, float]:
    """The rate and p99 in ms; `weight` is what one request counts for."""
    rates: list[float] = []
    times: list[float] = []
    for _ in range(ROUNDS):
        taken: list[list[float]] = [[] for _ in range(clients)]
        threads = [threading.Thread(target=ask, args=(address, mine)) for mine in taken]
        begin = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rates.append(clients * requests * weight / (time.perf_counter() - begin))
        times += (one for mine in taken for one in mine)
    times.sort()
    median = statistics.median(rates)
    spread = (max(rates) - min(rates)) / median
    half, most = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.99))
    print(f"{clients:>8}{median:>12,.0f}{spread:>8.0%}{half:>9.2f}{most:>9.2f}")
    return median, most


def _ask(address: str, taken: list[float]) -> None:
    link = http.client.HTTPConnection(address)
    for _ in range(REQUESTS):
        begin = time.perf_counter()
        link.request("GET", "/schemas/ids/1")
        answer = link.getresponse()
        answer.read()
        assert answer.status == 200
        taken.append(time.perf_counter() - begin)
    link.close()


def _produce(address: str, taken: list[float]) -> None:
    link = http.client.HTTPConnection(address)
    records = [
        {"key": f"k{n}", "value": {"id": n, "name": "a name", "price": 1.5}} for n in range(BATCH)
    ]
    body = json.dumps({"records": records}).encode()
    for _ in range(BATCHES):
        begin = time.perf_counter()
        link.request("POST", "/topics/records", body, {"Content-Type": JSON_RECORDS})
        answer = link.getresponse()
        assert b'"offset":null' not in answer.read()
        taken.append(time.perf_counter() - begin)
    link.close()


if __name__ == "__main__":
    main()
