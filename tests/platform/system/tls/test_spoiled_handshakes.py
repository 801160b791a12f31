"""Handshakes whose bytes are spoiled by chance: what gets through is what the client has sent.

An honest client of the standard library speaks to a link, and its bytes are changed on their way:
flipped, cut off, doubled, mixed with noise. The link fails with a reason or goes on, and its owner
never sees a byte that the client has not written.

A handshake of two ends takes milliseconds, so most attempts are a recorded first flight, spoiled:
what takes long is to sign, which a server does only where the spoiled flight can still be read.
"""

from __future__ import annotations

import ssl
from typing import Any, cast

import pytest

from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.tls.link import Shared, TlsLink
from tests.judges.certificates import HOSTS, Certificates

HANDSHAKES = 150
HANDSHAKES_LONG = 50_000
FLIGHTS = 100
FLIGHTS_LONG = 50_000
MORE_FLIGHTS = 10
"""So many times as many are drawn at the most, until each end has come: one in sixteen is
answered."""
PIECES = 20
"""Of spoiled first flights, each with draws of its own: a million in a long run, which may be
stopped, and goes on with `MOLDAU_SEED` and `-k` at the piece that was not run."""
SPOILED = 0.25
"""Of the pieces that a client sends."""
ROUNDS = 8
TEXT = b"what the client has written"
SENT_BYTES_MAX = 64 * 1024


class Below:
    """The link that TLS stands on."""

    def __init__(self) -> None:
        self.peer = Address("client", 1)
        self.unsent = 0
        self.arrived = bytearray()
        self.sent = bytearray()
        self.is_over = False

    def receive_into(self, room: memoryview) -> int:
        size = min(len(room), len(self.arrived))
        room[:size] = self.arrived[:size]
        del self.arrived[:size]
        return size

    def send(self, *buffers: bytes) -> None:
        self.sent += b"".join(bytes(buffer) for buffer in buffers)

    def pause(self) -> None: ...

    resume = pause

    def close(self) -> None:
        self.is_over = True

    abort = close


class Owner:
    """Keeps what comes out of the link."""

    def __init__(self, link: Any) -> None:
        self.link = link
        self.received = bytearray()

    def readable(self) -> None:
        room = bytearray(1024)
        while size := self.link.receive_into(room):
            self.received += room[:size]

    def all_sent(self) -> None: ...

    def lost(self, reason: str) -> None: ...


class Client:
    """An honest one."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._arrived, self._leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._engine = context.wrap_bio(self._arrived, self._leaving, server_hostname="localhost")
        self._is_ready = self.has_written = False

    def turn(self, arrived: bytes) -> bytes:
        """What it sends when this has come."""
        self._arrived.write(arrived)
        try:
            if not self._is_ready:
                self._engine.do_handshake()
                self._is_ready = True
            if not self.has_written:
                self._engine.write(TEXT)
                self.has_written = True
        except ssl.SSLError:
            pass  # it waits, or has been refused; either way it has something to send, or nothing
        return self._leaving.read()


def spoiled(random: SeededRandom, piece: bytes) -> bytes:
    where = random.randrange(0, len(piece))
    match random.randrange(0, 5):
        case 0:
            return piece[:where]
        case 1:
            return piece[:where] + random.randbytes(random.randrange(1, 100)) + piece[where:]
        case 2:
            return piece + piece
        case 3:
            return random.randbytes(len(piece))
        case _:
            flipped = bytearray(piece)
            flipped[where] ^= 1 << random.randrange(0, 8)
            return bytes(flipped)


@pytest.fixture(scope="module")
def contexts(tmp_path_factory):
    certificates = Certificates(tmp_path_factory.mktemp("certificates"))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificates.issue("node", HOSTS))
    clients = []
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        clients.append(ssl.create_default_context(cafile=str(certificates.trusted)))
        clients[-1].minimum_version = clients[-1].maximum_version = version
    return server, clients


def attempt(contexts: Any, random: SeededRandom) -> tuple[bytes, bool, list[str]]:
    """What the owner received, whether anything was spoiled, and the reasons of a failure."""
    server, clients = contexts
    below = Below()
    owners: list[Owner] = []
    failures: list[str] = []

    def take_over(link: Any) -> Any:
        owners.append(Owner(link))
        return owners[0]

    link = TlsLink(
        cast(Any, below),
        lambda arrived, leaving: server.wrap_bio(arrived, leaving, server_side=True),
        take_over,
        Shared(lambda action: action()),
        lambda peer, reason: failures.append(reason),
    )
    client, has_spoiled = Client(random.choice(clients)), False
    for _ in range(ROUNDS):
        piece = client.turn(bytes(below.sent))
        below.sent.clear()
        if piece and random.random() < SPOILED:
            piece, has_spoiled = spoiled(random, piece), True
        below.arrived += piece
        if below.is_over:
            break
        link.readable()
        assert len(below.sent) < SENT_BYTES_MAX
    return bytes(owners[0].received), has_spoiled, failures


@pytest.mark.timeout(3600)
def test_only_what_was_written_comes_out(contexts, seed, volume):
    random = SeededRandom(seed)
    whole = refused = 0
    for number in range(volume(HANDSHAKES, HANDSHAKES_LONG)):
        received, has_spoiled, failures = attempt(contexts, random)
        assert received in (b"", TEXT), number
        assert has_spoiled or (received == TEXT and not failures), (number, failures)
        assert all(failures), number
        whole += received == TEXT
        refused += bool(failures)
    assert whole
    assert refused


def first_flights(clients: Any) -> list[bytes]:
    """What honest clients of each version begin with, twice, for their numbers differ."""
    return [Client(context).turn(b"") for context in clients for _ in range(2)]


def replayed(server: ssl.SSLContext, flight: bytes) -> tuple[Below, list[Owner], list[str]]:
    """What became of a link to which these bytes came, in one piece."""
    below = Below()
    owners: list[Owner] = []
    failures: list[str] = []

    def take_over(link: Any) -> Any:
        owners.append(Owner(link))
        return owners[0]

    link = TlsLink(
        cast(Any, below),
        lambda arrived, leaving: server.wrap_bio(arrived, leaving, server_side=True),
        take_over,
        Shared(lambda action: action()),
        lambda peer, reason: failures.append(reason),
    )
    below.arrived += flight
    link.readable()
    return below, owners, failures


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("piece", range(PIECES))
def test_a_spoiled_first_flight_is_answered_refused_or_waited_for(contexts, seed, volume, piece):
    random, (server, clients) = SeededRandom(seed * PIECES + piece), contexts
    flights = first_flights(clients)
    answered = refused = waited = 0
    wanted = volume(FLIGHTS, FLIGHTS_LONG)
    for number in range(MORE_FLIGHTS * wanted):
        if number >= wanted and min(answered, refused, waited) > 0:
            break
        flight = random.choice(flights)
        for _ in range(random.randrange(1, 4)):
            flight = spoiled(random, flight) if flight else flight
        below, owners, failures = replayed(server, flight)
        assert not any(owner.received for owner in owners), number
        assert all(failures), number
        assert bool(failures) == below.is_over, number
        assert len(below.sent) < SENT_BYTES_MAX
        refused += below.is_over
        answered += not below.is_over and bool(below.sent)
        waited += not below.is_over and not below.sent
    assert min(answered, refused, waited) > 0
