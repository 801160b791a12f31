"""Registries as processes of their own, as their users run them."""

from __future__ import annotations

import subprocess
import sys
from threading import Timer

READY = "moldau: ready on "
START_SECONDS_MAX = 60


class RunningRegistry:
    """Started when it is made; `stop` asks it to end, `kill` does not ask."""

    PROGRAM = "registry"

    def __init__(self, folder, bootstrap, *flags, name="registry"):
        self.log = folder / f"{name}.log"
        command = [sys.executable, "-m", "moldau", self.PROGRAM, "--bootstrap-server", bootstrap]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--listen", "127.0.0.1:0", *flags],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        limit = Timer(START_SECONDS_MAX, self.process.kill)
        limit.start()
        assert self.process.stdout is not None
        ready = self.process.stdout.readline()
        limit.cancel()
        assert ready.startswith(READY), self.log.read_text()
        self.url = f"http://{ready.removeprefix(READY).strip()}"

    def stop(self):
        """In order; and it has met no bug."""
        self.process.terminate()
        code = self.process.wait(START_SECONDS_MAX)
        self._close()
        text = self.log.read_text()
        assert (code, "A bug met" in text, "Traceback" in text) == (0, False, False), text

    def _close(self):
        assert self.process.stdout is not None
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait(START_SECONDS_MAX)
        self._close()
