"""The way to the active controller, whichever node that is."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from moldau.broker.controller.decision import Call, Sender
from moldau.broker.runtime.controller_channel import ControllerChannel, HereOnly
from moldau.errors import KafkaError
from moldau.network.outgoing.channels import Channels
from moldau.network.outgoing.dialer import Dialer
from moldau.network.principal import Principal
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.messages.broker.broker_heartbeat import (
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
)
from moldau.protocol.messages.broker.envelope import EnvelopeRequest, EnvelopeResponse
from moldau.protocol.messages.cluster.unregister_broker import (
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
)
from moldau.protocol.messages.headers import ResponseHeader
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.aio.scripted_broker import PORT, in_cluster

BEAT = BrokerHeartbeatRequest(
    broker_id=1, broker_epoch=5, current_metadata_offset=9, want_fence=False, want_shut_down=False
)


def beaten(code=0):
    return BrokerHeartbeatResponse(
        throttle_time_ms=0, error_code=code, is_fenced=False, should_shut_down=False
    )


BEATEN = beaten()
STALE = beaten(ErrorCode.STALE_BROKER_EPOCH)
MOVED = beaten(ErrorCode.NOT_CONTROLLER)
OWN = Call(version=1)
FORGET = UnregisterBrokerRequest(broker_id=7)
FORGOTTEN = UnregisterBrokerResponse(throttle_time_ms=0, error_code=0, error_message="gone")
ALICE = Call(version=0, sender=Sender(Principal("User", "alice"), "10.0.0.1", 7), client_id="me")
PLACES = {2: Address("b2", PORT), 3: Address("b3", PORT)}


class Quorum:
    """Says who leads, and answers for the controller here."""

    def __init__(self, leader_id):
        self.leader_id = leader_id
        self.image = SimpleNamespace(offset=3)
        self.asked: list[object] = []

    def keep_image_of(self, holder):
        holder.image = self.image

    @property
    def leader_address(self) -> Address | None:
        return PLACES.get(self.leader_id)

    async def ask(self, request, call):
        self.asked.append(request)
        if self.leader_id != 1:
            raise KafkaError(ErrorCode.NOT_CONTROLLER, "this node is not the active controller")
        return BEATEN

    async def answer(self, request, call):
        self.asked.append(request)
        return "what is known here"


class SilentQuorum(Quorum):
    """Its controller never answers."""

    tasks: Tasks

    async def ask(self, request, call):
        return await self.tasks.promise().wait()


def channel(cluster, quorum, timeout_ms=1000):
    channels = Channels(
        Dialer(network=cluster.world.network, tasks=cluster.tasks), cluster.clock, Random(1)
    )
    return ControllerChannel(
        quorum, 1, channels, cluster.tasks, cluster.clock, timeout_ms=timeout_ms
    )


def sealed(response, version=0):
    header = encode(ResponseHeader(correlation_id=7), 1)
    return EnvelopeResponse(response_data=header + encode(response, version), error_code=0)


def test_a_node_that_leads_asks_its_own_controller():
    async def main(cluster):
        quorum = Quorum(leader_id=1)
        return await channel(cluster, quorum).ask(BEAT, OWN), quorum.asked

    assert in_cluster(main) == (BEATEN, [BEAT])


def test_what_a_broker_asks_for_itself_is_sent_as_it_is():
    async def main(cluster):
        broker = await cluster.broker("b2", {BrokerHeartbeatRequest: lambda _: BEATEN})
        answer = await channel(cluster, Quorum(leader_id=2)).ask(BEAT, OWN)
        return answer, broker.questions(BrokerHeartbeatRequest)

    assert in_cluster(main) == (BEATEN, [BEAT])


def test_what_a_client_asked_is_passed_on_in_an_envelope_and_its_answer_taken_out():
    async def main(cluster):
        broker = await cluster.broker("b2", {EnvelopeRequest: lambda _: sealed(FORGOTTEN)})
        answer = await channel(cluster, Quorum(leader_id=2)).ask(FORGET, ALICE)
        (envelope,) = broker.questions(EnvelopeRequest)
        return answer, bytes(envelope.client_host_address), b"alice" in envelope.request_principal

    assert in_cluster(main) == (FORGOTTEN, bytes([10, 0, 0, 1]), True)


def test_an_error_of_a_brokers_own_request_is_raised_as_if_the_controller_were_here():
    async def main(cluster):
        await cluster.broker("b2", {BrokerHeartbeatRequest: lambda _: STALE})
        with pytest.raises(KafkaError) as refused:
            await channel(cluster, Quorum(leader_id=2)).ask(BEAT, OWN)
        return refused.value.code

    assert in_cluster(main) == ErrorCode.STALE_BROKER_EPOCH


@pytest.mark.parametrize(
    ("request_", "call", "refusal"),
    [
        (BEAT, OWN, MOVED),
        (FORGET, ALICE, EnvelopeResponse(error_code=ErrorCode.NOT_CONTROLLER)),
    ],
)
def test_when_the_controller_has_moved_the_next_one_is_asked(request_, call, refusal):
    async def main(cluster):
        quorum = Quorum(leader_id=2)
        await cluster.broker(
            "b2", {type(request_): lambda _: refusal, EnvelopeRequest: lambda _: refusal}
        )
        await cluster.broker(
            "b3",
            {
                BrokerHeartbeatRequest: lambda _: BEATEN,
                EnvelopeRequest: lambda _: sealed(FORGOTTEN),
            },
        )
        cluster.tasks.after(200, lambda: setattr(quorum, "leader_id", 3))
        answer = await channel(cluster, quorum).ask(request_, call)
        return answer, cluster.world.now_ms() < 400

    answer, is_soon = in_cluster(main)
    assert answer in (BEATEN, FORGOTTEN)
    assert is_soon


def test_a_request_whose_connection_was_lost_is_asked_again():
    async def main(cluster):
        quorum = Quorum(leader_id=2)
        broker = await cluster.broker("b2")
        cluster.tasks.after(100, lambda: setattr(quorum, "leader_id", 1))
        cluster.tasks.after(110, lambda: broker.links[0].abort())
        return await channel(cluster, quorum).ask(BEAT, OWN)

    assert in_cluster(main) == BEATEN


@pytest.mark.parametrize("leader_id", [-1, 2])
def test_in_the_end_it_is_a_time_out(leader_id):
    async def main(cluster):
        cluster.around.host("b2")
        with pytest.raises(KafkaError, match="did not answer in 700 ms") as refused:
            await channel(cluster, Quorum(leader_id), 700).ask(BEAT, OWN)
        return refused.value.code, cluster.world.now_ms()

    code, ended_ms = in_cluster(main)
    assert code == ErrorCode.REQUEST_TIMED_OUT
    assert ended_ms <= 800


def test_a_controller_here_that_never_answers_is_a_time_out_too():
    async def main(cluster):
        quorum = SilentQuorum(leader_id=1)
        quorum.tasks = cluster.tasks
        with pytest.raises(KafkaError, match="did not answer in 700 ms") as refused:
            await channel(cluster, quorum, 700).ask(BEAT, OWN)
        return refused.value.code, cluster.world.now_ms()

    code, ended_ms = in_cluster(main)
    assert code == ErrorCode.REQUEST_TIMED_OUT
    assert ended_ms <= 800


def test_what_a_client_asks_of_the_quorum_goes_to_its_leader():
    async def main(cluster):
        quorum = Quorum(leader_id=2)
        answer = await channel(cluster, quorum).answer(DescribeQuorumRequest(topics=[]), OWN)
        return answer, len(quorum.asked)

    assert in_cluster(main) == ("what is known here", 1)


def test_a_controllers_own_listener_asks_no_other():
    async def main(cluster):
        quorum = Quorum(leader_id=2)
        here = HereOnly(cast("Any", quorum))
        with pytest.raises(KafkaError) as refused:
            await here.ask(BEAT, OWN)
        described = await here.answer(DescribeQuorumRequest(topics=[]), Call(0, sender=None))
        return refused.value.code, described, here.leader_id, here.image.offset

    assert in_cluster(main) == (ErrorCode.NOT_CONTROLLER, "what is known here", 2, 3)


def test_the_quorum_is_asked_and_not_the_controller_once_this_node_leads():
    async def main(cluster):
        quorum = Quorum(leader_id=-1)

        async def win():
            await cluster.tasks.sleep(100)
            quorum.leader_id = 1

        cluster.tasks.spawn("win", win())
        return await channel(cluster, quorum).answer(DescribeQuorumRequest(topics=[]), ALICE)

    assert in_cluster(main) == "what is known here"
