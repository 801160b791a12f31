"""A node as a process of its own, as its users run it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.judges.kafka_node import NOTHING_EXPIRES

SETTINGS = {
    **NOTHING_EXPIRES,
    "group.initial.rebalance.delay.ms": "100",
    "offsets.topic.num.partitions": "5",
    "transaction.state.log.num.partitions": "5",
    "num.partitions": "2",
}
READY = "moldau: ready on "
STOP_SECONDS_MAX = 60


@contextmanager
def running_node(folder: Path, **settings: str) -> Iterator[str]:
    """Its HOST:PORT; when the block ends it must leave in order, and have met no bug."""
    given = {**SETTINGS, **{key.replace("_", "."): value for key, value in settings.items()}}
    command = [sys.executable, "-m", "moldau", "start", "--port", "0", "--data", f"{folder}/data"]
    for key, value in given.items():
        command += ["--set", f"{key}={value}"]
    log_path = folder / "node.log"
    with log_path.open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        ready = process.stdout.readline()
        try:
            assert ready.startswith(READY), log_path.read_text()
            yield ready.removeprefix(READY).strip()
        finally:
            process.terminate()
            code = process.wait(STOP_SECONDS_MAX)
            process.stdout.close()
    text = log_path.read_text()
    assert code == 0, text
    assert "A bug met" not in text, text
