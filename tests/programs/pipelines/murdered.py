"""A pipeline as people run it, in a process of its own, and ways to kill it and its workers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.judges.java_for_spark import SHORT_LIVED

SOURCE = Path(__file__).parents[3] / "src"
WORKERS = ("pyspark.daemon", "pyspark/daemon", "pyspark.worker", "_worker")
BATCH = re.compile(r"^batch \d+: ", re.MULTILINE)
RAW = ("form=raw", "compact_every=5", "batch_size=4000")
"""Settings of etl that take numbered records as they are."""


class RunningPipeline:
    """`moldau pipeline run` until all that is available is read; started as often as needed."""

    def __init__(
        self,
        folder: Path,
        bootstrap: str,
        topic: str,
        more: Sequence[str] = (),
        name: str = "etl",
        settings: Sequence[str] = RAW,
        **variables: str,
    ) -> None:
        self._folder = folder
        self._environment = {**os.environ, "PYTHONPATH": str(SOURCE), **variables}
        self._log = folder / "pipeline.log"
        self._log.touch()
        self._process: subprocess.Popen[bytes] | None = None
        lake, checkpoint = folder / "lake", folder / "checkpoint"
        self._arguments = [
            *("run", name, "--bootstrap", bootstrap, "--topic", topic, "--available-now"),
            *("--lake", str(lake), "--checkpoint", str(checkpoint), "--master", "local[2]"),
            *(word for setting in settings for word in ("--set", setting)),
            *("--conf", "spark.driver.memory=512m", "--conf", "spark.sql.shuffle.partitions=2"),
            *("--conf", f"spark.driver.extraJavaOptions={SHORT_LIVED}"),
            *("--conf", f"spark.executor.extraJavaOptions={SHORT_LIVED}"),
            *("--source", "kafka.default.api.timeout.ms=30000"),
            *more,  # what is set last counts
        ]

    def start(self) -> None:
        command = [sys.executable, "-m", "moldau", "pipeline", *self._arguments]
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                env=self._environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        return None if self._process is None else self._process.poll()

    @property
    def batches(self) -> int:
        """How many batches it has reported, over all its lives."""
        return len(BATCH.findall(self._log.read_text(errors="replace")))

    def last_words(self) -> str:
        return self._log.read_text(errors="replace")[-3_000:]

    @property
    def lines(self) -> list[str]:
        """All that it has written, over all its lives."""
        return self._log.read_text(errors="replace").splitlines()

    def signal(self, number: int, *, to_all: bool = False) -> None:
        """To the process alone, or to all, as a terminal does it on Ctrl-C."""
        assert self._process is not None
        (os.killpg if to_all else os.kill)(self._process.pid, number)

    def left_over(self) -> list[str]:
        """What still runs of all that it has started."""
        assert self._process is not None
        listed = subprocess.run(
            ["ps", "-wweo", "sid=,stat=,args="], capture_output=True, text=True, check=True
        )
        rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
        of_ours = [row for row in rows if row[0] == str(self._process.pid)]
        return [row[-1] for row in of_ours if not row[1].startswith("Z")]

    def await_end(self, patience_s: float) -> None:
        """Until it has ended by itself."""
        assert self._process is not None
        self._process.wait(patience_s)

    def kill(self) -> None:
        """The whole of it: driver, Java, and with them the workers."""
        if self._process is not None:
            for process_id in [*descendants(self._process.pid), self._process.pid]:
                kill(process_id)
            self._process.wait()

    def kill_workers(self) -> int:
        """Spark's Python workers, wherever they are in their work; how many there were."""
        assert self._process is not None
        return kill_all(descendants(self._process.pid, WORKERS))


def kill_all(process_ids: Sequence[int]) -> int:
    """How many of them were still alive."""
    return sum([kill(process_id) for process_id in process_ids])


def kill(process_id: int) -> bool:
    """Whether it was still alive."""
    try:
        os.kill(process_id, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def descendants(process_id: int, named: tuple[str, ...] = ("",)) -> list[int]:
    """The processes that this one has started, and those that they have."""
    listed = subprocess.run(
        ["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    family = {process_id}
    for _ in rows:
        grown = {int(row[0]) for row in rows if int(row[1]) in family} - family
        if not grown:
            break
        family |= grown
    heirs = (row for row in rows if int(row[0]) in family - {process_id})
    return [int(row[0]) for row in heirs if any(word in row[-1] for word in named)]
