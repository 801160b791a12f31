"""Registries of one topic that are killed while they write: every id that was answered is there."""

from __future__ import annotations

import http.client
import json
import threading

import pytest

from tests.interop.registry.running_registry import START_SECONDS_MAX, RunningRegistry

WRITES = 40
"""Of each; the registry is killed in the middle."""


class Writer(threading.Thread):
    """Registers one schema after another, and keeps the ids that were answered."""

    def __init__(self, running, name):
        super().__init__()
        self.running = running
        self.prefix = name
        self.given: dict[str, int] = {}
        self.has_some = threading.Event()

    def run(self):
        host, _, port = self.running.url.removeprefix("http://").rpartition(":")
        link = http.client.HTTPConnection(host, int(port), timeout=START_SECONDS_MAX)
        try:
            for number in range(WRITES):
                subject = f"{self.prefix}-{number}"
                schema = json.dumps({"type": "fixed", "name": self.prefix, "size": number})
                body = json.dumps({"schema": schema})
                link.request("POST", f"/subjects/{subject}/versions", body)
                answer = link.getresponse()
                found = json.loads(answer.read())
                assert answer.status == 200, found
                self.given[subject] = found["id"]
                if number == WRITES // 4:
                    self.has_some.set()
        except (OSError, http.client.HTTPException):
            self.has_some.set()  # it was killed
        finally:
            link.close()


def known(running, topic_subjects):
    host, _, port = running.url.removeprefix("http://").rpartition(":")
    link = http.client.HTTPConnection(host, int(port), timeout=START_SECONDS_MAX)
    found = {}
    for subject in topic_subjects:
        link.request("GET", f"/subjects/{subject}/versions/1")
        answer = link.getresponse()
        body = json.loads(answer.read())
        found[subject] = body.get("id")
    link.close()
    return found


@pytest.mark.long
def test_ids_that_were_answered_are_there_and_none_was_given_twice(place, topic, tmp_path):
    def start(name):
        return RunningRegistry(tmp_path, place, "--topic", topic, name=name)

    writers = [Writer(start(name), name) for name in ("one", "two")]
    for writer in writers:
        writer.start()
    for writer in writers:
        assert writer.has_some.wait(START_SECONDS_MAX)
        writer.running.kill()
    for writer in writers:
        writer.join(START_SECONDS_MAX)
    given = writers[0].given | writers[1].given
    assert len(given) >= WRITES // 4
    assert len(set(given.values())) == len(given)
    third = start("three")
    assert known(third, given) == given
    third.stop()
