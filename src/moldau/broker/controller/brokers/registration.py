"""A broker enters the cluster, or enters it again.

The broker epoch is the offset at which this decision's records begin: no other ever gets the
same one. A broker registers fenced. Another life of a broker id is refused while the one before is
has a session; once it has none, all that was written about that life is taken back first.

A broker that sends the right epoch of its clean stop has all it acknowledged; any
other may not (KIP-966). A second registration of the same life only amends the first.
"""

from __future__ import annotations

from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.partitions.leaders import when_leaving, when_restarted_unclean
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import BrokerState, endpoints_by_name, levels_by_name
from moldau.broker.metadata.features import METADATA_VERSION
from moldau.broker.metadata.snapshot import broker_record
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.broker_registration import (
    BrokerRegistrationRequest,
    BrokerRegistrationResponse,
)
from moldau.protocol.messages.stored.metadata_brokers import RegisterBrokerRecord
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord
from moldau.protocol.wire.error_codes import ErrorCode

RESERVED_DIRECTORY_IDS = 100
"""Ids below this one have meanings of their own: unassigned, lost."""
PROOF_SINCE_VERSION = 3
"""Of the request: it has the epoch of the life before."""


def register_broker(
    request: BrokerRegistrationRequest, situation: Situation, call: Call
) -> Decision:
    """Write the broker down, after what its new life makes untrue."""
    before = situation.broker(request.broker_id)
    _check_identity(request, before, situation)
    _check_directories(request, situation)
    _check_features(request, situation)
    record = _record(request, situation)
    cleanup: list[PartitionChangeRecord] = []
    if before is not None and before.incarnation_id == request.incarnation_id:
        record.broker_epoch = before.epoch
        record.fenced = before.fenced
        record.in_controlled_shutdown = before.in_controlled_shutdown
    else:
        cleanup = _cleanup(request, before, situation, call)
        situation.sessions.drop(request.broker_id)
    reply = BrokerRegistrationResponse(
        throttle_time_ms=0, error_code=0, broker_epoch=record.broker_epoch
    )
    return Decision([*cleanup, record], reply, is_atomic=False)


def _check_identity(
    request: BrokerRegistrationRequest, before: BrokerState | None, situation: Situation
) -> None:
    if request.cluster_id != situation.cluster_id:
        text = f"this is cluster {situation.cluster_id}; the broker belongs to {request.cluster_id}"
        raise KafkaError(ErrorCode.INCONSISTENT_CLUSTER_ID, text)
    if request.is_migrating_zk_broker:
        text = "brokers that still use ZooKeeper cannot register"
        raise KafkaError(ErrorCode.BROKER_ID_NOT_REGISTERED, text)
    if before is None or before.incarnation_id == request.incarnation_id:
        return
    if situation.sessions.is_valid(request.broker_id, situation.now_ms):
        text = (
            f"another process is alive as broker {request.broker_id}; if that was this broker's "
            "life before, it ends by itself when its session times out"
        )
        raise KafkaError(ErrorCode.DUPLICATE_BROKER_REGISTRATION, text)


def _check_directories(request: BrokerRegistrationRequest, situation: Situation) -> None:
    if not situation.metadata_version.has_directory_assignment:
        return
    directories = request.log_dirs
    if not directories:
        _refuse("the broker names no log directory")
    if len(set(directories)) != len(directories):
        _refuse("the broker names a log directory twice; a copied meta.properties does that")
    owners = {
        directory: broker.broker_id
        for broker in situation.image.cluster.brokers.values()
        for directory in broker.log_dirs
    }
    for directory in directories:
        if int.from_bytes(directory, "big") < RESERVED_DIRECTORY_IDS:
            _refuse(f"the log directory id {directory.hex()} is reserved")
        owner = owners.get(directory, request.broker_id)
        if owner != request.broker_id:
            _refuse(f"the log directory id {directory.hex()} belongs to broker {owner}")


def _check_features(request: BrokerRegistrationRequest, situation: Situation) -> None:
    supported = {
        feature.name: (feature.min_supported_version, feature.max_supported_version)
        for feature in request.features
    }
    if METADATA_VERSION not in supported:
        _refuse("the registration lacks the metadata.version that the broker supports")
    for name, level in situation.image.features.levels.items():
        low, high = supported.get(name, (0, 0))
        if not low <= level <= high:
            text = f"{name} is {level} in this cluster; the broker supports {low} to {high}"
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)


def _refuse(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_REGISTRATION, text)


def _record(request: BrokerRegistrationRequest, situation: Situation) -> RegisterBrokerRecord:
    has_directories = situation.metadata_version.has_directory_assignment
    return broker_record(
        BrokerState(
            request.broker_id,
            situation.next_offset,
            request.incarnation_id,
            endpoints_by_name(request.listeners),
            request.rack,
            log_dirs=tuple(request.log_dirs) if has_directories else (),
            features=levels_by_name(request.features),
        )
    )


def _cleanup(
    request: BrokerRegistrationRequest,
    before: BrokerState | None,
    situation: Situation,
    call: Call,
) -> list[PartitionChangeRecord]:
    proves = call.version >= PROOF_SINCE_VERSION and before is not None
    if proves and before is not None and before.epoch == request.previous_broker_epoch:
        return when_leaving(situation, request.broker_id)
    return when_restarted_unclean(situation, request.broker_id)
