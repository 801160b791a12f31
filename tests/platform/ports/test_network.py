"""Both implementations of the Network port, judged by the same promises."""

from __future__ import annotations

import pytest

from moldau.errors import NetworkError
from moldau.platform.ports.network import Address
from moldau.platform.system import tasks as system_tasks
from moldau.platform.system.network import SystemNetwork
from tests.platform.ports.both_networks import HERE, Owner, call


def test_a_link_that_is_not_wanted_may_be_aborted_at_once(run_network):
    async def main(tasks, network):
        def refuse(link):
            link.abort()
            return Owner(tasks, link)

        listener = await network.listen(Address(HERE, 0), refuse)
        caller = await call(tasks, network, listener.address)
        return await caller.is_over.wait()

    assert run_network(main) in ("closed by the peer", "connection reset by peer")


def test_a_closed_listener_refuses(run_network):
    async def main(tasks, network):
        listener = await network.listen(Address(HERE, 0), lambda link: Owner(tasks, link))
        listener.close()
        await network.connect(listener.address, lambda link: Owner(tasks, link))

    with pytest.raises(NetworkError, match=r"127\.0\.0\.1:\d+: connection refused"):
        run_network(main)


def test_an_address_that_is_taken_cannot_be_listened_on_twice(run_network):
    async def main(tasks, network):
        listener = await network.listen(Address(HERE, 0), lambda link: Owner(tasks, link))
        await network.listen(listener.address, lambda link: Owner(tasks, link))

    with pytest.raises(NetworkError, match="address already in use"):
        run_network(main)


def test_an_address_is_written_as_people_write_it():
    assert str(Address("kafka", 9092)) == "kafka:9092"
    assert str(Address("::1", 9092)) == "[::1]:9092"


def test_an_unknown_name_is_refused_in_a_sentence():
    async def main(tasks):
        await SystemNetwork().connect(Address("absent.invalid", 1), lambda link: Owner(tasks, link))

    with pytest.raises(NetworkError, match=r"^absent\.invalid:1: \w+"):
        system_tasks.run(main)
