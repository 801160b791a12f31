"""A broker enters the cluster once per life, fenced, and with everything it needs."""

import pytest

from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, directory, names, registration


def test_the_epoch_is_the_offset_of_the_record():
    cluster = Conversation()
    expected = cluster.controller.next_offset
    records, reply = cluster.ask(registration(1, rack="north"))
    assert names(records) == ["RegisterBroker"]
    assert (records[0].broker_epoch, reply.broker_epoch) == (expected, expected)
    assert records[0].fenced
    assert (records[0].rack, records[0].log_dirs) == ("north", [directory(1)])


def test_another_cluster_is_refused():
    refused = Conversation().refusal(registration(1, cluster_id="elsewhere"))
    assert refused == ErrorCode.INCONSISTENT_CLUSTER_ID


def test_another_process_of_the_same_id_waits_for_the_session_to_end():
    cluster = Conversation(brokers=2)
    assert cluster.refusal(registration(1, life=2)) == ErrorCode.DUPLICATE_BROKER_REGISTRATION
    cluster.wait(9000)
    records, _ = cluster.ask(registration(1, life=2))
    assert names(records) == ["RegisterBroker"]


def test_the_same_life_amends_its_registration_and_keeps_its_epoch():
    cluster = Conversation(brokers=1)
    before = cluster.image.cluster.brokers[1]
    records, reply = cluster.ask(registration(1, rack="south"))
    assert reply.broker_epoch == before.epoch
    assert not records[0].fenced
    assert cluster.image.cluster.brokers[1].rack == "south"


def test_a_level_that_the_broker_does_not_support_is_refused():
    request = registration(1)
    request.features = [
        BrokerRegistrationRequest.Feature(
            name="metadata.version", min_supported_version=7, max_supported_version=29
        )
    ]
    assert Conversation().refusal(request) == ErrorCode.UNSUPPORTED_VERSION


def test_a_broker_must_say_which_metadata_it_can_read():
    request = registration(1)
    request.features = []
    assert Conversation().refusal(request) == ErrorCode.INVALID_REGISTRATION


@pytest.mark.parametrize(
    "log_dirs", [[], [directory(9), directory(9)], [bytes(15) + b"\x02"], [directory(1)]]
)
def test_directories_must_be_named_once_and_belong_to_no_other_broker(log_dirs):
    cluster = Conversation(brokers=1)
    assert cluster.refusal(registration(2, log_dirs=log_dirs)) == ErrorCode.INVALID_REGISTRATION


def test_a_restart_without_proof_takes_the_broker_out_of_every_set():
    cluster = Conversation(brokers=3, min_insync_replicas="2")
    cluster.create("t", (1, 2, 3))
    cluster.wait(8000)
    cluster.beat(2), cluster.beat(3)
    cluster.wait(1000)
    records, _ = cluster.ask(registration(1, life=2))
    assert names(records) == ["RegisterBroker"]
    assert cluster.partition("t").isr == (2, 3)


def test_a_clean_restart_stays_eligible_and_any_other_does_not():
    for proves in (True, False):
        cluster = Conversation(brokers=2, min_insync_replicas="2")
        cluster.create("t", (1, 2))
        epoch = cluster.image.cluster.brokers[1].epoch
        cluster.beat(1, want_fence=True)
        assert cluster.partition("t").eligible_leader_replicas == (1,)
        cluster.ask(registration(1, life=2, previous_broker_epoch=epoch if proves else -1))
        assert cluster.partition("t").eligible_leader_replicas == ((1,) if proves else ())


def test_what_becomes_of_a_broker_may_take_more_records_than_one_batch_has():
    cluster, atomic = Conversation(brokers=2), []
    for request in (registration(3), registration(3)):
        cluster.ask(request)
        atomic.append(cluster.was_atomic)
    cluster.beat(3)
    atomic.append(cluster.was_atomic)
    cluster.ask(UnregisterBrokerRequest(broker_id=3))
    assert not any([*atomic, cluster.was_atomic])
