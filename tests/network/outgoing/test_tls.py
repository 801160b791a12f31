"""TLS is put around a connection by the host that was asked for, and the login goes on above."""

import asyncio
from typing import Any, cast

from moldau.network.outgoing.tls import TlsProtection
from moldau.platform.ports.network import Address


class Tls:
    def __init__(self):
        self.hosts = []

    def call(self, host, take_over):
        self.hosts.append(host)
        return take_over


class Login:
    doubt = "?"

    def __init__(self):
        self.peers = []

    async def authenticate(self, peer):
        self.peers.append(peer)


def test_the_host_is_that_of_the_address_and_the_login_gets_the_peer():
    tls, login = cast(Any, Tls()), cast(Any, Login())
    owner, peer = cast(Any, "its owner"), cast(Any, "the peer")
    protection = TlsProtection(tls, login)
    taken = protection.wrap(Address("kafka-1", 9092), owner)
    asyncio.run(protection.authenticate(peer))
    assert (taken, tls.hosts, login.peers) == (owner, ["kafka-1"], [peer])
    assert protection.doubt == ""
