"""One node of ours as people run it: a process of its own, on free ports, with a file of settings.

The twin of `kafka_node`: the same settings, the same verbs, so that a test may take either.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Timer

from tests.judges.kafka_node import (
    CLUSTER_ID,
    HOST,
    SETTINGS,
    NodeFailedError,
    free_ports,
    properties,
)

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 60
READY = "moldau: ready on "


class MoldauNode:
    """See the head of the file."""

    def __init__(
        self,
        folder: Path,
        *,
        settings: Mapping[str, str] | None = None,
        data: Path | None = None,
        ports: Sequence[int] | None = None,
        format_with: Sequence[str] = (),
        start_with: Sequence[str] = (),
        run_within: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self.data = data or folder / "data"
        self.client_port, self.controller_port = ports or free_ports(2)
        self._start_with = start_with
        self._run_within = run_within
        """Before the command: what puts it into a network namespace."""
        self._process: subprocess.Popen[str] | None = None
        own = {
            **SETTINGS,
            "log.dirs": str(self.data),
            "listeners": f"PLAINTEXT://{self.bootstrap},CONTROLLER://{HOST}:{self.controller_port}",
            "controller.quorum.voters": f"1@{HOST}:{self.controller_port}",
            **(settings or {}),
        }
        self.settings_file.write_text(properties(own))
        if not (self.data / "meta.properties").exists():
            self.run("format", "-t", CLUSTER_ID, "-c", self.settings_file, *format_with)

    def __repr__(self) -> str:
        return f"MoldauNode({self.bootstrap}, {'up' if self.is_up else 'down'}, {self.data})"

    @property
    def bootstrap(self) -> str:
        """Where clients connect."""
        return f"{HOST}:{self.client_port}"

    @property
    def is_up(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def process_id(self) -> int:
        assert self._process is not None
        return self._process.pid

    def run(self, command: str, *arguments: object) -> str:
        """What one of our commands prints."""
        done = subprocess.run(
            [sys.executable, "-m", "moldau", command, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=START_TIMEOUT_S,
        )
        if done.returncode:
            raise NodeFailedError(f"moldau {command} failed: {done.stderr or done.stdout}")
        return done.stdout + done.stderr

    def start(self) -> None:
        """Return when it says that it serves."""
        self.begin()
        self.wait_ready()

    def begin(self) -> None:
        """Have the process, and do not wait for it."""
        assert not self.is_up
        start = (sys.executable, "-m", "moldau", "start", "--config", str(self.settings_file))
        command = [*self._run_within, *start, *self._start_with]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def wait_ready(self) -> None:
        """Return when it says that it serves."""
        assert self._process is not None
        assert self._process.stdout is not None
        patience = Timer(START_TIMEOUT_S, self.kill)
        patience.start()
        ready = any(line.startswith(READY) for line in self._process.stdout)
        patience.cancel()
        if not ready:
            self.kill()
            raise NodeFailedError(f"Moldau did not start: {self.last_words()}")

    def stop(self) -> int:
        """In order; the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise NodeFailedError(f"Moldau did not stop: {self.last_words()}") from error
        finally:
            self._close_pipe()

    def kill(self) -> None:
        """At once, wherever it is; nothing happens to a node that is down."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._close_pipe()

    def pause(self) -> None:
        """It stands still, and its connections stay."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def last_words(self) -> str:
        return self._log.read_text(errors="replace")[-3000:] or "it wrote nothing"

    def _close_pipe(self) -> None:
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()

    @property
    def settings_file(self) -> Path:
        """The node's settings, as a file of properties."""
        return self.folder / "node.properties"

    @property
    def _log(self) -> Path:
        return self.folder / "moldau.broker.log"
