"""Children that work within bounds, and how they end; the worker is `worker_sample`."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from moldau.platform.system import workers
from moldau.platform.system.workers import Worker, WorkerBounds, WorkerEndedError

SAMPLE = "tests.platform.system.worker_sample"
BOUNDS = WorkerBounds(memory_mb=200, cpu_s=60)
STARTER = f"""
import asyncio
from moldau.platform.system.workers import Worker, WorkerBounds
async def main():
    worker = await Worker.start("{SAMPLE}", WorkerBounds(200, 60))
    await worker.send({{"kind": "echo"}})
    await worker.receive()
    print(worker.process_id, flush=True)
    await worker.send({{"kind": "wait"}})
    await asyncio.sleep(60)
asyncio.run(main())
"""


def answered(kind, body=b"", bounds=BOUNDS, **head):
    async def main():
        worker = await Worker.start(SAMPLE, bounds)
        try:
            await worker.send({"kind": kind, **head}, body)
            return await worker.receive()
        finally:
            await worker.end()

    return asyncio.run(main())


def is_running(process):
    with suppress(FileNotFoundError, ProcessLookupError):
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    return False


def test_a_message_goes_there_and_back_whole():
    body = bytes(range(256)) * 4096
    assert answered("echo", memoryview(body), name="a") == ({"kind": "echo", "name": "a"}, body)


def test_a_worker_gives_way_and_is_the_first_to_end_where_memory_is_short():
    head, _ = answered("bounds")
    assert head == {
        "nice": min(os.nice(0) + 10, 19),
        "badness": "1000",
        "file": [0, 0],
        "core": [0, 0],
    }


def test_a_worker_gets_no_more_memory_than_its_bound():
    assert answered("allocate", mb=50)[0] == {"has": 50}
    assert answered("allocate", mb=300)[0] == {"has": None}


def test_a_worker_that_is_killed_is_named_by_its_signal():
    with pytest.raises(WorkerEndedError, match="killed by SIGKILL"):
        answered("kill")


def test_a_message_that_is_too_large_ends_the_worker(monkeypatch):
    monkeypatch.setattr(workers, "BODY_BYTES_MAX", 10)
    assert answered("echo", b"0123456789")[1] == b"0123456789"
    with pytest.raises(WorkerEndedError, match="too large"):
        answered("echo", b"0123456789a")


def test_a_worker_ends_with_the_process_that_started_it():
    starter = subprocess.Popen([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True)
    with starter:
        assert starter.stdout is not None
        worker = int(starter.stdout.readline())
        assert is_running(worker)
        starter.send_signal(signal.SIGKILL)
    while is_running(worker):  # the test's own limit of time ends it otherwise
        time.sleep(0.01)
