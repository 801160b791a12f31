"""FindCoordinator, as Kafka 4.3.1 answered it."""

from __future__ import annotations

import pytest

from moldau.broker.server.group.find_coordinator import handle
from moldau.broker.server.topic.creation import OFFSETS_TOPIC, SHARE_STATE_TOPIC, TRANSACTIONS_TOPIC
from moldau.errors import KafkaError
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, result_of

TOPIC_ID = "AAAAAAAAAAAAAAAAAAAAAQ"


def ask(keys, key_type=0, version=6, forbids=(), *, offsets_topic=True):
    """The answer, and the topics that were wanted."""
    key, many = ("", list(keys)) if version >= 4 else (keys[0], [])
    request = FindCoordinatorRequest(key=key, key_type=key_type, coordinator_keys=many)

    async def scenario(one: DataBroker):
        one.broker.authorizer = Forbids(*forbids)
        answer = await one.ask(request, version)
        return answer, one.broker.topic_creation.names

    return result_of(scenario, offsets_topic=offsets_topic)


def codes(answer):
    return [one.error_code for one in answer.coordinators]


def test_the_leader_of_a_groups_partition_coordinates_it():
    answer, _ = ask(["g", "", "g"])
    assert [(one.key, one.node_id, one.host, one.port) for one in answer.coordinators] == [
        (key, 1, "here", 9092) for key in ("g", "", "g")
    ]
    assert codes(answer) == [0, 0, 0]


def test_older_versions_ask_for_one_and_spell_out_success():
    answer, _ = ask(["g"], version=3)
    assert (answer.error_code, answer.error_message) == (0, "NONE")
    assert (answer.node_id, answer.host, answer.port) == (1, "here", 9092)


def test_a_leader_that_does_not_know_yet_that_it_is_one_is_asked_for_again():
    async def scenario(one: DataBroker):
        request = FindCoordinatorRequest(key="", key_type=0, coordinator_keys=["g"])
        one.broker.groups.close()
        before = await one.ask(request, 6)
        one.broker.groups.on_leading(OFFSETS_TOPIC, 0, 1)
        return codes(before) + codes(await one.ask(request, 6))

    assert result_of(scenario) == [ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.NONE]


@pytest.mark.parametrize(
    ("key_type", "key", "topic"),
    [
        (0, "g", OFFSETS_TOPIC),
        (1, "x", TRANSACTIONS_TOPIC),
        (2, f"g:{TOPIC_ID}:0", SHARE_STATE_TOPIC),
    ],
)
def test_a_topic_that_is_missing_is_made_meanwhile(key_type, key, topic):
    answer, wanted = ask([key], key_type, offsets_topic=False)
    assert codes(answer) == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert wanted == [topic]
    assert answer.coordinators[0].node_id == answer.coordinators[0].port == -1


@pytest.mark.parametrize("version", [3, 6])
def test_an_unknown_type_of_key_is_refused(version):
    request = FindCoordinatorRequest(key="", key_type=7, coordinator_keys=[])
    with pytest.raises(KafkaError, match="type 7"):
        handle(call_of(request, version), broker_with())


@pytest.mark.parametrize(
    "key", ["g", "a:b", f":{TOPIC_ID}:0", f"g:{TOPIC_ID}:x", "g:short:0", f"{TOPIC_ID}:0"]
)
def test_what_names_no_share_partition_is_refused(key):
    answer, wanted = ask([key], 2)
    assert (codes(answer), wanted) == ([ErrorCode.INVALID_REQUEST], [])


def test_share_partitions_need_version_6():
    answer, _ = ask([f"g:{TOPIC_ID}:0"], 2, version=5)
    assert codes(answer) == [ErrorCode.INVALID_REQUEST]


def test_who_may_not_describe_the_group_sees_nothing_of_it():
    answer, _ = ask(["g", "h"], forbids=["g"])
    assert codes(answer) == [ErrorCode.GROUP_AUTHORIZATION_FAILED, 0]
