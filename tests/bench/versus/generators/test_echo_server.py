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
    with served() as port:
        load = Load(port, QUESTIONS["produce"], "t", 2)
        while not load.run(SECONDS)[0]:
            pass
        load.close()
    assert {len(body) for body in load.sample} == {56}


@contextlib.contextmanager
def served():
    """Its port; at the end it is stopped, and its thread and sockets with it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = threading.Thread(target=_serve, args=(listener,))
        serving.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)  # which wakes the thread: accepting now fails
        serving.join()


def _serve(listener):
    with contextlib.suppress(OSError):
        serve(listener)
