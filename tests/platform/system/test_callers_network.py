"""Connections of a loop that runs in its caller's thread, with a server in another thread."""

from __future__ import annotations

import socket
import threading

import pytest

from moldau.errors import AddressRefusesError, HostUnknownError, NetworkError
from moldau.platform.ports.network import Address
from moldau.platform.system.callers_network import CallersNetwork
from moldau.platform.system.callers_tasks import CallersLoop, CallersTasks
from tests.platform.ports.both_networks import HERE, Owner

MUCH = bytes(range(256)) * 128 * 1024
"""32 MiB: more than a socket takes, and one that is not read."""


class Around:
    """A loop, its network, and a server that does `serve(connection)` once."""

    def __init__(self, serve) -> None:
        self.loop = CallersLoop()
        self.tasks = CallersTasks(self.loop)
        self.network = CallersNetwork(self.loop)
        self._listening = socket.create_server((HERE, 0))
        self.address = Address(*self._listening.getsockname())
        self._thread = threading.Thread(target=self._serve, args=[serve], daemon=True)
        self._thread.start()

    def _serve(self, serve) -> None:
        connected, _ = self._listening.accept()
        with connected:
            serve(connected)

    def run(self, work):
        try:
            return self.loop.call(work())
        finally:
            self.network.close()
            self.loop.close()
            self._listening.close()
            self._thread.join(30)

    async def call(self) -> Owner:
        owners = []

        def take_over(link):
            owners.append(Owner(self.tasks, link))
            return owners[-1]

        await self.network.connect(self.address, take_over)
        return owners[0]


def echo(connected) -> None:
    while some := connected.recv(65536):
        connected.sendall(some)


def test_what_is_sent_arrives_whole_and_so_does_what_is_received():
    reads = threading.Event()

    def echo_late(connected):
        reads.wait(30)
        echo(connected)

    around = Around(echo_late)

    async def work():
        owner = await around.call()
        owner.link.send(b"before", MUCH)
        assert owner.link.unsent > 0
        reads.set()
        while len(owner.received) < len(MUCH) + len(b"before"):
            await around.tasks.sleep(1)
        assert owner.is_drained.is_settled()
        assert owner.link.unsent == 0
        return bytes(owner.received)

    assert around.run(work) == b"before" + MUCH


def test_a_peer_that_leaves_is_reported_once():
    around = Around(lambda connected: connected.sendall(b"bye"))

    async def work():
        owner = await around.call()
        await owner.is_over.wait()
        owner.link.abort()
        owner.link.send(b"void")
        await around.tasks.sleep(1)
        return bytes(owner.received), owner.reasons

    assert around.run(work) == (b"bye", ["closed by the peer"])


def test_nothing_is_read_while_it_is_paused():
    around = Around(echo)

    async def work():
        owner = await around.call()
        owner.link.pause()
        owner.link.send(b"x")
        await around.tasks.sleep(20)
        paused = bytes(owner.received)
        owner.link.resume()
        while not owner.received:
            await around.tasks.sleep(1)
        owner.link.close()
        await owner.is_over.wait()
        return paused, owner.reasons

    assert around.run(work) == (b"", ["closed here"])


def test_closing_sends_what_is_unsent_before():
    got = bytearray()

    def take(connected):
        while some := connected.recv(65536):
            got.extend(some)

    around = Around(take)

    async def work():
        owner = await around.call()
        owner.link.send(MUCH)
        owner.link.close()
        await owner.is_over.wait()

    around.run(work)
    assert bytes(got) == MUCH


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        (Address(HERE, 1), AddressRefusesError),
        (Address("absent.invalid", 1), HostUnknownError),
        (Address(HERE, 70_000), NetworkError),
    ],
    ids=str,
)
def test_why_nothing_can_be_reached_is_an_error_of_ours(address, kind):
    loop = CallersLoop()
    with pytest.raises(kind, match=address.host.partition(".")[0]):
        loop.call(CallersNetwork(loop).connect(address, lambda link: Owner(None, link)))
    loop.close()


def test_it_has_neither_listeners_nor_tls():
    loop = CallersLoop()
    network = CallersNetwork(loop)
    with pytest.raises(NetworkError, match="cannot listen"):
        loop.call(network.listen(Address(HERE, 0), lambda link: Owner(None, link)))
    loop.close()
