"""Clients of TLS and HTTP are named in the log, once for each host in a while."""

from __future__ import annotations

import logging
import ssl

import pytest

from moldau.network.other_protocols import AGAIN_NS, FrameRefusals, other_protocol
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from tests.network.conversation import converse

TLS = b"\x16\x03\x01\x02\x00\x01\x00"


class Closed:
    """A connection from some host, that may only be closed."""

    listener = "PLAINTEXT"
    frame_bytes_max = 100

    def __init__(self, host="there"):
        self.peer = Address(host, 4711)
        self.is_aborted = False

    def abort(self):
        self.is_aborted = True


def refuse(refusals, start, host="there"):
    connection = Closed(host)
    refusals.refuse(connection, memoryview(start))
    assert connection.is_aborted


@pytest.fixture
def clock():
    return SimulatedClock()


@pytest.fixture
def refusals(clock, caplog):
    caplog.set_level(logging.INFO)
    return FrameRefusals(clock, 100)


def test_a_client_of_tls_is_named_with_the_remedy(refusals, caplog):
    refuse(refusals, TLS)
    assert caplog.messages == [
        "The listener PLAINTEXT is PLAINTEXT; the client at there:4711 seems to speak TLS: set "
        "security.protocol=PLAINTEXT there"
    ]


def test_what_pythons_own_tls_sends_first_is_known():
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="there")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    assert other_protocol(outgoing.read(4)) == "TLS"


@pytest.mark.parametrize("line", [b"GET / HTTP/1.1", b"POST /x HTTP/1.1", b"PRI * HTTP/2.0"])
def test_a_client_of_http_is_named(refusals, caplog, line):
    refuse(refusals, line)
    assert "seems to speak HTTP: clients of Kafka belong here" in caplog.text


def test_a_host_is_named_once_in_a_while_with_the_number_of_its_attempts(refusals, clock, caplog):
    for _ in range(50):
        refuse(refusals, TLS)
    refuse(refusals, TLS, "elsewhere")
    refuse(refusals, b"GET / HTTP/1.1")
    assert len(caplog.messages) == 3
    clock.advance_ns(AGAIN_NS)
    refuse(refusals, TLS)
    assert caplog.messages[3].endswith("there (49 more connections from there before)")
    clock.advance_ns(AGAIN_NS)
    refuse(refusals, TLS)
    assert caplog.messages[4].endswith("security.protocol=PLAINTEXT there")


def test_any_other_size_is_a_line_with_the_limit(refusals, caplog):
    refuse(refusals, b"\xff\xff\xff\xff")
    assert "a frame of -1 bytes is refused; socket.request.max.bytes is 100" in caplog.text


@pytest.mark.parametrize("cut", [1, 3, 4, 7])
def test_a_connection_that_begins_with_tls_is_closed_however_it_is_cut(cut, caplog):
    async def main(tasks, served, connect):
        client = await connect()
        client.link.send(TLS[:cut])
        await tasks.sleep(5)
        client.link.send(TLS[cut:])
        await tasks.sleep(10)
        return client.is_over, served.frames

    assert converse(main) == (True, [])
    assert caplog.text.count("seems to speak TLS") == 1
