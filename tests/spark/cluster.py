"""A standalone Spark cluster from the pip package: one master, workers, all on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark

from tests.judges.java_for_spark import SHORT_LIVED

HOST = "127.0.0.1"
SOURCE = str(Path(__file__).parents[2] / "src")
PATIENCE_S = 300
"""For a Java process to listen, however busy the machine is."""
WORKER = ("--cores", "1", "--memory", "512m")


class Cluster:
    """Runs until it is closed; its processes are ended by their ids."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        port, page = free_port(), free_port()
        self.address = f"spark://{HOST}:{port}"
        listening = ("--host", HOST, "--port", str(port), "--webui-port", str(page))
        self._start("master.Master", *listening)
        try:
            await_port(port)
        except AssertionError:
            self.close()
            raise
        for index in range(workers):
            place = ("--host", HOST, "--work-dir", str(folder / f"worker{index}"))
            pages = ("--webui-port", str(free_port()))
            self._start("worker.Worker", *place, *pages, *WORKER, self.address)

    def _start(self, name: str, *arguments: str) -> None:
        spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
        command = [str(spark_class), f"org.apache.spark.deploy.{name}", *arguments]
        with (self._folder / "cluster.log").open("ab") as log:
            self._processes.append(
                subprocess.Popen(
                    command, env=environment(), stdout=log, stderr=log, start_new_session=True
                )
            )

    def executors(self) -> set[tuple[str, str]]:
        """The worker and the application of each that was ever started."""
        folders = self._folder.glob("worker*/app-*/*")
        return {(path.parts[-3], path.parts[-2]) for path in folders if path.is_dir()}

    @property
    def process_ids(self) -> list[int]:
        """Of the master and the workers; executors and their Python workers descend from these."""
        return [process.pid for process in self._processes]

    def close(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()


def environment() -> dict[str, str]:
    """For the cluster and for what runs on it."""
    more = {"SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": SOURCE}
    return os.environ | more | {"SPARK_DAEMON_JAVA_OPTS": SHORT_LIVED}


def free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
        return port


def await_port(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            assert time.monotonic() < deadline, f"nothing listens at port {port}"
            time.sleep(0.1)
        else:
            return
