"""The generator holds every answer against its request, also one that comes in pieces."""

from __future__ import annotations

import socket
from struct import pack

import pytest

from bench.versus.generators.one_at_a_time import ANSWER_BYTES_MAX, Line


@pytest.fixture
def link():
    """A line whose request 7 is on its way, and the broker's end of it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        line = Line(listener.getsockname()[1], bytes(20))
        broker, _ = listener.accept()
        line.ask(7)
        assert broker.recv(99) == bytes(8) + pack(">i", 7) + bytes(8)
        yield line, broker
        broker.close()
        line.link.close()


def test_an_answer_may_come_in_pieces(link):
    line, broker = link
    buffer = bytearray(ANSWER_BYTES_MAX)
    buffer[:3] = pack(">ii", 10, 7)[:3]
    broker.sendall(pack(">ii", 10, 7)[3:] + b"123456")
    line.complete(buffer, 3)
    assert bytes(buffer[8:14]) == b"123456"


@pytest.mark.parametrize("answer", [pack(">ii", 4, 8), pack(">ii", 4, 7) + b"more"])
def test_an_answer_to_another_request_is_no_answer(link, answer):
    line, broker = link
    broker.sendall(answer)
    with pytest.raises(AssertionError):
        line.complete(bytearray(ANSWER_BYTES_MAX), 0)


def test_a_broker_that_hangs_up_is_noticed(link):
    line, broker = link
    broker.close()
    with pytest.raises(AssertionError, match="closed"):
        line.complete(bytearray(ANSWER_BYTES_MAX), 0)
