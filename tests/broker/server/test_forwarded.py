"""What is passed on is decided elsewhere, and refused to who may not ask for it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.security.access import Operation
from moldau.broker.server.apis import BROKER, CONTROLLER, FORWARDED
from moldau.broker.server.forwarded import HANDLERS
from moldau.errors import KafkaError
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of

CONTROLLERS, QUORUMS, COORDINATORS = "the controller", "the quorum", "the share coordinators"
FORWARDS = {
    "ElectLeaders": (CONTROLLERS, Operation.ALTER),
    "AlterPartitionReassignments": (CONTROLLERS, Operation.ALTER),
    "ListPartitionReassignments": (CONTROLLERS, Operation.DESCRIBE),
    "AlterPartition": (CONTROLLERS, Operation.CLUSTER_ACTION),
    "AlterClientQuotas": (CONTROLLERS, Operation.ALTER_CONFIGS),
    "UpdateFeatures": (CONTROLLERS, Operation.ALTER),
    "AllocateProducerIds": (CONTROLLERS, Operation.CLUSTER_ACTION),
    "UnregisterBroker": (CONTROLLERS, Operation.ALTER),
    "AssignReplicasToDirs": (CONTROLLERS, Operation.CLUSTER_ACTION),
    "ControllerRegistration": (CONTROLLERS, Operation.CLUSTER_ACTION),
    "Fetch": (QUORUMS, Operation.CLUSTER_ACTION),
    "FetchSnapshot": (QUORUMS, Operation.CLUSTER_ACTION),
    "Vote": (QUORUMS, Operation.CLUSTER_ACTION),
    "BeginQuorumEpoch": (QUORUMS, Operation.CLUSTER_ACTION),
    "EndQuorumEpoch": (QUORUMS, Operation.CLUSTER_ACTION),
    "DescribeQuorum": (QUORUMS, Operation.DESCRIBE),
    "AddRaftVoter": (QUORUMS, Operation.ALTER),
    "RemoveRaftVoter": (QUORUMS, Operation.ALTER),
    "UpdateRaftVoter": (QUORUMS, Operation.CLUSTER_ACTION),
    "InitializeShareGroupState": (COORDINATORS, Operation.CLUSTER_ACTION),
    "ReadShareGroupState": (COORDINATORS, Operation.CLUSTER_ACTION),
    "ReadShareGroupStateSummary": (COORDINATORS, Operation.CLUSTER_ACTION),
    "WriteShareGroupState": (COORDINATORS, Operation.CLUSTER_ACTION),
    "DeleteShareGroupState": (COORDINATORS, Operation.CLUSTER_ACTION),
}
"""As Apache Kafka's KafkaApis and ControllerApis check them."""


class Deciding:
    """Metadata and share states that say who was asked."""

    def __init__(self, image: Any) -> None:
        self.image = image
        self.asked: list[Any] = []

    async def ask(self, request: Any, call: Any) -> str:
        self.asked.append(request)
        return COORDINATORS if isinstance(call, int) else CONTROLLERS

    async def answer(self, request: Any, call: Any) -> str:
        self.asked.append(request)
        return QUORUMS


class Nothing:
    """Allows nothing."""

    def allows(self, *_: Any) -> bool:
        return False


def outcome(name: str, allowed: Operation | None) -> tuple[Any, list[Any]]:
    """The answer, or the code of the refusal, and what was asked of others."""

    class Rules:
        def allows(self, caller: Any, operation: Operation, *_: Any) -> bool:
            return operation is allowed

    key = next(key for key, api in BY_KEY.items() if api.name == name)
    request: Any = blank(BY_KEY[key].request)
    if "timeout_ms" in request.DECLARED:
        request.timeout_ms = 1_000
    if name.endswith(("State", "StateSummary")):
        request.group_id, request.topics = "group", [SimpleNamespace(partitions=[0])]
    broker: Any = broker_with()
    deciding = Deciding(broker.metadata.image)
    broker.metadata = broker.share_states = deciding
    broker.authorizer = Rules()
    try:
        return asyncio.run(HANDLERS[key](call_of(request, 0), broker)), deciding.asked
    except KafkaError as error:
        return error.code, deciding.asked


@pytest.mark.parametrize("name", FORWARDS)
def test_who_may_ask_gets_the_answer_of_who_decides_and_others_a_refusal(name):
    decides, operation = FORWARDS[name]
    answer, asked = outcome(name, operation)
    assert (answer, len(asked)) == (decides, 1)
    for other in {None, Operation.CREATE, Operation.DESCRIBE, Operation.ALTER} - {operation}:
        assert outcome(name, other) == (ErrorCode.CLUSTER_AUTHORIZATION_FAILED, [])


def test_a_refusal_names_who_may_not_do_what():
    broker = broker_with()
    broker.authorizer = Nothing()
    call = call_of(blank(BY_KEY[ApiKey.ADD_RAFT_VOTER].request), 0)
    with pytest.raises(KafkaError, match="ANONYMOUS may not ALTER CLUSTER"):
        asyncio.run(HANDLERS[ApiKey.ADD_RAFT_VOTER](call, broker))


def test_each_handler_of_the_table_is_served_and_judged():
    named = {BY_KEY[key].name for key in HANDLERS}
    served = {
        key for table in (BROKER, CONTROLLER) for key, where in table.items() if where == FORWARDED
    }
    assert named == set(FORWARDS)
    assert served == set(HANDLERS)
    assert BROKER[ApiKey.FETCH] != FORWARDED
