"""The channels from a node to others."""

from __future__ import annotations

from moldau.broker.node.defaults import alone
from moldau.broker.node.outgoing import channels_to_brokers, channels_to_controllers
from moldau.broker.node.server_properties import node_settings
from moldau.errors import NetworkError
from moldau.platform.ports.network import Address, Link
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.node.simulated_node import Machine

QUESTION = MetadataRequest(topics=None)
QUICK = {"controller.quorum.request.timeout.ms": "300"}


class _Silent:
    """Takes a link over and never says a word."""

    def __init__(self, link: Link) -> None: ...

    def readable(self) -> None: ...

    def all_sent(self) -> None: ...

    def lost(self, reason: str) -> None: ...


def waited_ms(make):
    """How long a host that says nothing is tried."""

    async def main(tasks, clock):
        machine = Machine(tasks, clock, 1)
        await machine.network.host("there").listen(Address("", 9), _Silent)
        machine.network.cut("broker", "there")
        channels = make(node_settings(alone(), QUICK), machine.world())
        try:
            await channels.ask(Address("there", 9), QUESTION, 60_000)
        except (NetworkError, TimeoutError):
            return clock.monotonic_ns() // 1_000_000
        finally:
            channels.close()

    clock = SimulatedClock()
    return run(lambda tasks: main(tasks, clock), clock)


def test_a_controller_is_given_up_in_the_time_of_a_question_and_a_broker_later():
    assert waited_ms(channels_to_controllers) == 300
    assert waited_ms(channels_to_brokers) == 10_000
