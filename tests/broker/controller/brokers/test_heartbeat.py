"""What a heartbeat answers: fenced, serving, on its way out, or free to go."""

from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, directory, names, registration


def test_a_broker_is_unfenced_once_it_has_read_its_own_registration():
    cluster = Conversation()
    _, reply = cluster.ask(registration(1))
    records, reply = cluster.beat(1, offset=reply.broker_epoch - 1)
    assert (records, reply.is_caught_up, reply.is_fenced) == ([], False, True)
    records, reply = cluster.beat(1)
    assert names(records) == ["BrokerRegistrationChange"]
    assert (records[0].fenced, reply.is_caught_up, reply.is_fenced) == (-1, True, False)


def test_a_broker_that_wants_to_stay_fenced_does():
    cluster = Conversation()
    cluster.ask(registration(1))
    records, reply = cluster.beat(1, want_fence=True)
    assert (records, reply.is_caught_up, reply.is_fenced) == ([], True, True)


def test_an_epoch_of_an_earlier_life_is_stale():
    cluster = Conversation(brokers=1)
    request = BrokerHeartbeatRequest(
        broker_id=1, broker_epoch=0, current_metadata_offset=9, want_fence=False,
        want_shut_down=False,
    )  # fmt: skip
    assert cluster.refusal(request) == ErrorCode.STALE_BROKER_EPOCH
    request.broker_id = 7
    assert cluster.refusal(request) == ErrorCode.STALE_BROKER_EPOCH


def test_an_unfenced_broker_leads_what_had_no_leader():
    cluster = Conversation(brokers=1)
    cluster.create("t", (1,))
    cluster.beat(1, want_fence=True)
    assert cluster.partition("t").leader == -1
    records, _ = cluster.beat(1)
    assert names(records) == ["BrokerRegistrationChange", "PartitionChange"]
    assert cluster.partition("t").leader == 1


def test_shutting_down_moves_the_leaders_first_and_waits_until_all_know():
    cluster = Conversation(brokers=2)
    cluster.create("t", (1, 2))
    records, reply = cluster.beat(1, want_shut_down=True)
    assert names(records) == ["BrokerRegistrationChange", "PartitionChange"]
    assert (records[0].in_controlled_shutdown, reply.should_shut_down) == (1, False)
    assert (cluster.partition("t").leader, cluster.partition("t").isr) == (2, (2,))
    records, reply = cluster.beat(1, want_shut_down=True)
    assert (records, reply.should_shut_down) == ([], False)
    cluster.beat(2)
    records, reply = cluster.beat(1, want_shut_down=True)
    assert names(records) == ["BrokerRegistrationChange"]
    assert (records[0].fenced, reply.should_shut_down) == (1, True)


def test_a_broker_that_leads_nothing_may_go_at_once():
    cluster = Conversation(brokers=2)
    records, reply = cluster.beat(1, want_shut_down=True)
    assert (names(records), reply.should_shut_down) == (["BrokerRegistrationChange"], True)


def test_the_last_broker_goes_when_none_is_left_to_lead():
    cluster = Conversation(brokers=1)
    cluster.create("t", (1,))
    cluster.beat(1, want_shut_down=True)
    assert cluster.partition("t").leader == -1
    _, reply = cluster.beat(1, want_shut_down=True)
    assert reply.should_shut_down


def test_a_fenced_broker_may_go_without_a_record():
    cluster = Conversation()
    cluster.ask(registration(1))
    records, reply = cluster.beat(1, want_fence=True, want_shut_down=True)
    assert (records, reply.should_shut_down) == ([], True)


def test_a_failed_directory_moves_what_lies_in_it_and_is_struck_off():
    cluster = Conversation()
    cluster.join(1, directories=2), cluster.join(2)
    cluster.create("t", (1, 2))
    records, _ = cluster.beat(1, offline_log_dirs=[directory(1, 1)])
    assert names(records) == ["BrokerRegistrationChange"]
    assert cluster.image.cluster.brokers[1].log_dirs == (directory(1),)
    assert cluster.beat(1, offline_log_dirs=[directory(1, 1)])[0] == []


def test_cordoned_directories_are_noted_once():
    cluster = Conversation(brokers=1)
    records, _ = cluster.beat(1, cordoned_log_dirs=[])
    assert records[0].cordoned_log_dirs == []
    assert cluster.beat(1, cordoned_log_dirs=[])[0] == []
    cluster.beat(1, cordoned_log_dirs=[directory(1)])
    assert cluster.image.cluster.brokers[1].cordoned_log_dirs == (directory(1),)
