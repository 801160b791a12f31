"""How many schemas a registry and how many records a proxy takes a second, by HTTP.

    ./dev bench http

A node, a registry and a proxy run as processes of their own, on this machine beside what asks
them, over one kept connection and over several. Each client sends its next request when the answer
to the one before is there, so the time of a request is what its caller waits. Of the registry's
work it is the cheapest: a schema by its id. The proxy gets lists of a hundred records in JSON, and
answers when the node has them.
"""

from __future__ import annotations

import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

Client: TypeAlias = Callable[[str, list[float]], None]
ROUNDS = 5
REQUESTS = 2_000
"""Of each client and round."""
CLIENTS = (1, 4)
READY = "moldau: ready on "
BATCH = 100
BATCHES = 200
"""Of each client and round."""
JSON_RECORDS = "application/vnd.kafka.json.v2+json"
SCHEMA = {"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        node, place = _started("start", "--port", "0", "--data", str(Path(folder) / "data"))
        registry, address = _started(
            "registry", "--bootstrap-server", place, "--listen", "127.0.0.1:0"
        )
        rest, proxied = _started("rest", "--bootstrap-server", place, "--listen", "127.0.0.1:0")
        try:
            _register(address)
            print(f"{'clients':>8}{'requests/s':>12}{'spread':>8}{'p50 ms':>9}{'p99 ms':>9}")
            for clients in CLIENTS:
                _measure(address, clients, REQUESTS, 1, _ask)
            print(f"{'clients':>8}{'records/s':>12}{'spread':>8}{'p50 ms':>9}{'p99 ms':>9}")
            for clients in CLIENTS:
                _measure(proxied, clients, BATCHES, BATCH, _produce)
        finally:
            for process in (rest, registry, node):
                process.terminate()
                process.wait()


def _started(*words: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "moldau", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().removeprefix(READY).strip()


def _register(address: str) -> None:
    link = http.client.HTTPConnection(address)
    body = json.dumps({"schema": json.dumps(SCHEMA)})
    link.request("POST", "/subjects/s/versions", body)
    assert json.loads(link.getresponse().read())["id"] == 1
    link.close()


def _measure(address: str, clients: int, requests: int, weight: int, ask: Client) -> None:
    """`weight` is what one request counts for."""
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
