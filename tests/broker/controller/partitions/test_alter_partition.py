"""Only the leader says who is in sync, and only of brokers that can be."""

import pytest

from moldau.protocol.messages.broker.alter_partition import AlterPartitionRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.brokers.test_directories import assignment
from tests.broker.controller.conversation import Conversation, directory, names

ASKED = AlterPartitionRequest.TopicData.PartitionData


def proposal(cluster, name, isr, **values):
    topic = cluster.image.topics.by_name[name]
    state = topic.partitions[0]
    brokers = cluster.image.cluster.brokers
    proposer = values.pop("proposer", state.leader)
    epochs = values.pop("epochs", {})
    partition = ASKED(
        partition_index=0,
        leader_epoch=state.leader_epoch,
        new_isr=list(isr),
        new_isr_with_epochs=[
            ASKED.BrokerState(
                broker_id=member,
                broker_epoch=epochs.get(member, brokers[member].epoch if member in brokers else -1),
            )
            for member in isr
        ],
        partition_epoch=state.partition_epoch,
    )
    for field, value in values.items():
        setattr(partition, field, value)
    return AlterPartitionRequest(
        broker_id=proposer,
        broker_epoch=brokers[proposer].epoch,
        topics=[AlterPartitionRequest.TopicData(topic_id=topic.topic_id, partitions=[partition])],
    )


def three():
    cluster = Conversation(brokers=3)
    cluster.create("t", (1, 2, 3))
    return cluster


def answer(reply):
    return reply.topics[0].partitions[0]


def test_a_smaller_set_is_written_and_reported_with_its_epochs():
    cluster = three()
    records, reply = cluster.ask(proposal(cluster, "t", [1, 2]))
    answered = answer(reply)
    assert names(records) == ["PartitionChange"]
    assert (answered.isr, answered.leader_epoch, answered.partition_epoch) == ([1, 2], 0, 1)


def test_what_is_so_already_is_reported_without_a_record():
    cluster = three()
    records, reply = cluster.ask(proposal(cluster, "t", [1, 2, 3]))
    assert (records, answer(reply).error_code, answer(reply).isr) == ([], 0, [1, 2, 3])


@pytest.mark.parametrize(
    ("isr", "values", "code"),
    [
        ([1], {"leader_epoch": 9}, ErrorCode.NOT_CONTROLLER),
        ([1], {"partition_epoch": 9}, ErrorCode.NOT_CONTROLLER),
        ([1], {"leader_epoch": -1}, ErrorCode.FENCED_LEADER_EPOCH),
        ([1], {"partition_epoch": -1}, ErrorCode.INVALID_UPDATE_VERSION),
        ([1], {"proposer": 2}, ErrorCode.INVALID_REQUEST),
        ([2, 3], {}, ErrorCode.INVALID_REQUEST),
        ([1, 1], {}, ErrorCode.INVALID_REQUEST),
        ([1, 4], {}, ErrorCode.INVALID_REQUEST),
        ([1], {"leader_recovery_state": 1}, ErrorCode.INVALID_REQUEST),
        ([1, 2], {"leader_recovery_state": 1}, ErrorCode.INVALID_REQUEST),
        ([1], {"leader_recovery_state": 7}, ErrorCode.INVALID_REQUEST),
        ([1, 2], {"epochs": {2: 0}}, ErrorCode.INELIGIBLE_REPLICA),
        ([1], {"partition_index": 7}, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_an_unsound_proposal_is_refused(isr, values, code):
    cluster = three()
    records, reply = cluster.ask(proposal(cluster, "t", isr, **values))
    assert (records, answer(reply).error_code) == ([], code)


def test_a_broker_that_is_not_there_cannot_be_in_sync():
    cluster = three()
    cluster.ask(proposal(cluster, "t", [1]))
    cluster.beat(2, want_fence=True)
    cluster.beat(3, want_shut_down=True)
    for member in (2, 3):
        refused = cluster.ask(proposal(cluster, "t", [1, member]))[1]
        assert answer(refused).error_code == ErrorCode.INELIGIBLE_REPLICA


def test_a_broker_whose_directory_failed_cannot_be_in_sync():
    cluster = Conversation(brokers=1)
    cluster.join(2, directories=2)
    topic_id = cluster.create("t", (1, 2))
    cluster.ask(assignment(cluster, 2, directory(2, 1), (topic_id, 0)))
    cluster.beat(2, offline_log_dirs=[directory(2, 1)])
    refused = cluster.ask(proposal(cluster, "t", [1, 2]))[1]
    assert answer(refused).error_code == ErrorCode.INELIGIBLE_REPLICA


def test_the_old_form_names_brokers_without_their_epochs():
    cluster = three()
    request = proposal(cluster, "t", [1, 3])
    for partition in request.topics[0].partitions:
        partition.new_isr_with_epochs = []
    _, reply = cluster.ask(request, version=2)
    assert answer(reply).isr == [1, 3]


def test_an_earlier_life_or_an_unknown_topic_is_refused():
    cluster = three()
    request = proposal(cluster, "t", [1])
    request.broker_epoch = 0
    assert cluster.refusal(request) == ErrorCode.STALE_BROKER_EPOCH
    request = proposal(cluster, "t", [1])
    request.topics[0].topic_id = bytes(16)
    assert answer(cluster.ask(request)[1]).error_code == ErrorCode.UNKNOWN_TOPIC_ID
