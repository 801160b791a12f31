"""Hints on who leads come from the metadata."""

from __future__ import annotations

import pytest

from moldau.broker.server.leaders import LeaderHint, address_of, leader_hint
from tests.broker.replica.broker_world import NODE
from tests.broker.server.data_broker import DataBroker, result_of


def with_topic(look):
    async def scenario(broker: DataBroker):
        await broker.topic("topic", leader_epoch=3)
        return look(broker.metadata.image)

    return result_of(scenario)


@pytest.mark.parametrize(("topic", "hint"), [("topic", (NODE, 3)), ("other", LeaderHint())])
def test_a_leader_is_named_if_it_is_known(topic, hint):
    assert with_topic(lambda image: leader_hint(image, topic, 0)) == hint


@pytest.mark.parametrize(
    ("broker_id", "listener", "host"),
    [(NODE, "PLAINTEXT", "here"), (NODE, "INTERNAL", None), (9, "PLAINTEXT", None)],
)
def test_an_address_is_that_of_the_listener_the_client_came_through(broker_id, listener, host):
    address = with_topic(lambda image: address_of(image, broker_id, listener))
    assert (address and address.host) == host
