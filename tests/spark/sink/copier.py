"""Copies a topic into another one through Spark, as a program of its own that can be killed.

    python -m tests.spark.sink.copier MASTER BOOTSTRAP SOURCE TARGET CHECKPOINT BATCH_SIZE

A query that fails is started again, as those who operate it would; after all is copied it prints
`copied` and ends.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.programs.pipelines.murdered import WORKERS, descendants, kill
from tests.spark.cluster import SOURCE, environment

ROOT = Path(__file__).parents[3]
LIVES_MAX = 100
"""Of the queries: on a busy machine Spark gives up workers that take 10 s to start."""
PATIENCE_MS = "20000"


def copy(
    master: str, bootstrap: str, source: str, target: str, checkpoint: str, batch_size: str
) -> None:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    from moldau.spark import sentence_of, session

    spark = session(master, spark_driver_memory="512m", spark_executor_memory="480m")
    where = {
        "kafka.bootstrap.servers": bootstrap,
        "kafka.default.api.timeout.ms": PATIENCE_MS,
    }
    reading = {"subscribe": source, "startingOffsets": "earliest"}
    for _ in range(LIVES_MAX):
        try:
            rows = spark.readStream.format("moldau").options(**where, **reading)
            frame = rows.option("maxOffsetsPerTrigger", batch_size).load()
            writer = frame.select("key", "value").writeStream.format("moldau")
            query = writer.options(**where, topic=target, checkpointLocation=checkpoint)
            running = query.trigger(availableNow=True).start()
            running.awaitTermination()
        except (PySparkException, Py4JError) as error:  # a worker that plans may be killed, too
            print("\nfailed:", sentence_of(error), flush=True)
            continue
        print("\ncopied", flush=True)
        return


class Copier:
    """One that runs, and ways to kill it and its workers."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        self._log = folder / "copier.log"
        self._log.touch()
        self.checkpoint = folder / "checkpoint"
        parameters = [*arguments[:-1], self.checkpoint, arguments[-1]]
        self._command = [sys.executable, "-m", "tests.spark.sink.copier", *map(str, parameters)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        variables = {**environment(), "PYTHONPATH": f"{SOURCE}:{ROOT}", "PYTHONWARNINGS": "ignore"}
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command, env=variables, stdout=output, stderr=output, start_new_session=True
            )

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def has_ended_well(self) -> bool:
        return "\ncopied" in self._log.read_text(errors="replace")

    @property
    def failures(self) -> int:
        """How many of its queries have failed, over all its lives."""
        return self._log.read_text(errors="replace").count("\nfailed: ")

    def last_words(self) -> str:
        return self._log.read_text(errors="replace")[-3_000:]

    def kill(self) -> None:
        """The driver, and with it all that it has started."""
        if self._process is not None:
            for process_id in [*descendants(self._process.pid), self._process.pid]:
                kill(process_id)
            self._process.wait()

    @property
    def workers(self) -> list[int]:
        """The Python workers beside the driver: they plan, and on a local master they write."""
        assert self._process is not None
        return descendants(self._process.pid, WORKERS)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    copy(*sys.argv[1:])
