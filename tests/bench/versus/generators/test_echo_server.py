"""The server that only echoes repeats correlation ids, and nothing else."""

from __future__ import annotations

import contextlib
import socket
import threading

from bench.versus.generators.echo_server import serve
from bench.versus.generators.one_at_a_time import Load
from bench.versus.generators.questions import QUESTIONS

SECONDS = 0.05


def test_it_answers_whatever_it_is_asked():
    listener = socket.create_server(("127.0.0.1", 0))
    serving = threading.Thread(target=_serve, args=(listener,), daemon=True)
    serving.start()
    load = Load(listener.getsockname()[1], QUESTIONS["produce"], "t", 2)
    while not load.run(SECONDS)[0]:
        pass
    load.close()
    assert {len(body) for body in load.sample} == {56}


def _serve(listener):
    with contextlib.suppress(OSError):
        serve(listener)
