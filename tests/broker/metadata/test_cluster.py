"""What records say of brokers and controllers."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.cluster import (
    BrokerState,
    Cluster,
    ClusterDelta,
    Endpoint,
    SupportedLevels,
    is_online,
    offline_replicas,
)
from moldau.broker.metadata.topics import (
    LOST_DIRECTORY,
    MIGRATING_DIRECTORY,
    UNASSIGNED_DIRECTORY,
    PartitionState,
    UnknownEntryError,
)
from moldau.protocol.messages.stored.metadata_brokers import (
    BrokerRegistrationChangeRecord,
    FenceBrokerRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
)

FIRST_DISK, SECOND_DISK = b"1" * 16, b"2" * 16


def registration(broker_id: int = 1, epoch: int = 10) -> RegisterBrokerRecord:
    return RegisterBrokerRecord(
        broker_id=broker_id,
        incarnation_id=b"i" * 16,
        broker_epoch=epoch,
        end_points=[
            RegisterBrokerRecord.BrokerEndpoint(
                name="PLAIN", host="here", port=9092, security_protocol=0
            )
        ],
        features=[
            RegisterBrokerRecord.BrokerFeature(
                name="metadata.version", min_supported_version=7, max_supported_version=30
            )
        ],
        rack=None,
        log_dirs=[SECOND_DISK, FIRST_DISK],
    )


def one_broker() -> Cluster:
    delta = ClusterDelta(Cluster())
    delta.apply_register_broker(registration())
    return delta.build()


def test_a_registered_broker_is_fenced_and_can_be_reached():
    broker = one_broker().brokers[1]
    assert broker.fenced
    assert broker.epoch == 10
    assert broker.endpoints == {"PLAIN": Endpoint("PLAIN", "here", 9092, 0)}
    assert broker.features == {"metadata.version": SupportedLevels(7, 30)}
    assert broker.log_dirs == (FIRST_DISK, SECOND_DISK)


def test_a_change_touches_what_it_names_and_nothing_else():
    delta = ClusterDelta(one_broker())
    delta.apply_registration_change(
        BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=10, fenced=-1)
    )
    broker = delta.build().brokers[1]
    assert not broker.fenced
    assert not broker.in_controlled_shutdown
    assert broker.log_dirs == (FIRST_DISK, SECOND_DISK)


def test_directories_and_shutdown_are_changed_by_name():
    delta = ClusterDelta(one_broker())
    delta.apply_registration_change(
        BrokerRegistrationChangeRecord(
            broker_id=1,
            broker_epoch=10,
            in_controlled_shutdown=1,
            log_dirs=[FIRST_DISK],
            cordoned_log_dirs=[],
        )
    )
    broker = delta.build().brokers[1]
    assert broker.fenced
    assert broker.in_controlled_shutdown
    assert (broker.log_dirs, broker.cordoned_log_dirs) == ((FIRST_DISK,), ())


def test_the_old_records_fence_and_unfence_too():
    delta = ClusterDelta(one_broker())
    delta.apply_unfence(UnfenceBrokerRecord(id=1, epoch=10))
    assert not delta.build().brokers[1].fenced
    delta.apply_fence(FenceBrokerRecord(id=1, epoch=10))
    assert delta.build().brokers[1].fenced


def test_an_unregistered_broker_is_gone_and_reported():
    delta = ClusterDelta(one_broker())
    delta.apply_unregister_broker(UnregisterBrokerRecord(broker_id=1, broker_epoch=10))
    assert delta.build().brokers == {}
    assert delta.changed_brokers == {1: None}


def test_a_change_meant_for_an_earlier_life_is_an_error():
    delta = ClusterDelta(one_broker())
    with pytest.raises(UnknownEntryError, match="epoch 9"):
        delta.apply_fence(FenceBrokerRecord(id=1, epoch=9))


def test_controllers_are_registered_beside_brokers():
    delta = ClusterDelta(one_broker())
    delta.apply_register_controller(
        RegisterControllerRecord(
            controller_id=9,
            incarnation_id=b"c" * 16,
            zk_migration_ready=False,
            end_points=[],
            features=[],
        )
    )
    after = delta.build()
    assert set(after.controllers) == {9}
    assert set(after.brokers) == {1}


@pytest.mark.parametrize(
    ("where", "log_dirs", "online"),
    [
        (FIRST_DISK, (FIRST_DISK,), True),
        (SECOND_DISK, (FIRST_DISK,), False),
        (SECOND_DISK, (), True),
        (UNASSIGNED_DIRECTORY, (FIRST_DISK,), True),
        (MIGRATING_DIRECTORY, (FIRST_DISK,), True),
        (LOST_DIRECTORY, (), False),
    ],
)
def test_a_broker_serves_the_directories_that_it_has(where, log_dirs, online):
    assert is_online(BrokerState(1, 0, bytes(16), {}, log_dirs=log_dirs), where) is online


def test_a_replica_is_offline_with_its_broker_or_with_its_directory():
    state = PartitionState((1, 2, 3), (FIRST_DISK, SECOND_DISK, FIRST_DISK), (1, 2, 3), leader=1)
    alive = {one: BrokerState(one, 0, bytes(16), {}, log_dirs=(FIRST_DISK,)) for one in (1, 2)}
    assert offline_replicas(state, alive) == [2, 3]
