"""A node with its console as one process, and how the console is asked."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from functools import cached_property
from pathlib import Path

from tests.interop.running_node import READY, SETTINGS, STOP_SECONDS_MAX
from tests.programs.console.document import Document

OURS = {"Content-Type": "application/json", "X-Moldau-Console": "test"}


class RunningConsole:
    """Started when it is made, by the command that is given or with a node of its own."""

    PLACE = re.compile(r"The console is at http://(\S+) ")
    CLUSTER = re.compile(r"/clusters/[^/?]+")

    def __init__(self, folder: Path, *command: str) -> None:
        self._log = folder / "console.log"
        sets = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
        ports = ["--port", "0", "--ui", "0", "--registry", "0"]
        alone = ["start", *ports, "--data", f"{folder}/data", *sets]
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "moldau", *(command or alone)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        ready = self.process.stdout.readline()
        assert ready.startswith(READY), self._log.read_text()
        self.bootstrap = ready.removeprefix(READY).strip()
        place = self.PLACE.search(self._log.read_text())
        assert place is not None
        self.place = place[1]

    def raw(self, method, path, body=None, headers=OURS):
        """The status, the headers and the bytes."""
        link = http.client.HTTPConnection(self.place, timeout=STOP_SECONDS_MAX)
        try:
            data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            link.request(method, path, data, headers)
            answer = link.getresponse()
            return answer.status, dict(answer.headers), answer.read()
        finally:
            link.close()

    def opened(self, path):
        """The same of what goes on without an end: where it has begun, it is left at once."""
        link = http.client.HTTPConnection(self.place, timeout=STOP_SECONDS_MAX)
        try:
            link.request("GET", path, headers=OURS)
            answer = link.getresponse()
            return answer.status, b"" if answer.status == 200 else answer.read()
        finally:
            link.close()

    @cached_property
    def _documents(self):
        """By the cluster, of those that were asked for."""
        return {}

    def get(self, path):
        return self._answer("GET", path)

    def _answer(self, method, path, body=None):
        """Validated against the document, whatever a test compares."""
        status, _, data = self.raw(method, f"/api{path}", body)
        assert status == 200, (path, body, status, data)
        answer = json.loads(data)
        root = self._root(path)
        if root not in self._documents:
            self._documents[root] = self._read_document(root)
        document = self._documents[root]
        if document is not None:
            document.ensure_true(method, f"/api{path.partition('?')[0]}", answer)
        return answer

    def _root(self, path):
        """Each cluster of several has its own."""
        found = self.CLUSTER.match(path)
        return found[0] if found else ""

    def _read_document(self, root):
        """Before all clusters there is none."""
        status, _, data = self.raw("GET", f"/api{root}/openapi.json")
        return Document(json.loads(data)) if status == 200 else None

    def refusal(self, method, path, body=None):
        """The status and the sentence."""
        status, _, data = self.raw(method, f"/api{path}", body)
        return status, json.loads(data)["message"]

    def plan(self, kind, /, **given):
        return self._answer("POST", f"/changes/{kind}/plan", given)

    def run(self, kind, /, **given):
        return self._answer("POST", f"/changes/{kind}", given)

    def make(self, topic, partitions=1, **configs):
        self.run("create-topic", topic=topic, partitions=partitions, configs=configs)
        return topic

    def send(self, topic, *values, **more):
        """Offsets, in order."""
        sent = [self.run("produce", topic=topic, value=value, **more) for value in values]
        return [one["result"]["offset"] for one in sent]

    def stop(self):
        """In order; and it has met no bug."""
        self.process.terminate()
        code = self.process.wait(STOP_SECONDS_MAX)
        assert self.process.stdout is not None
        self.process.stdout.close()
        text = self._log.read_text()
        assert (code, "A bug met" in text, "Traceback" in text) == (0, False, False), text
