"""Brokers and controllers of the image, and what a delta changes of them.

A broker's epoch is the offset of its registration. Changes name it, so that one meant for an
earlier life of the broker is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import NamedTuple, Protocol, TypeVar

from moldau.broker.metadata.topics import (
    LOST_DIRECTORY,
    MIGRATING_DIRECTORY,
    UNASSIGNED_DIRECTORY,
    PartitionState,
    UnknownEntryError,
)
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.metadata_brokers import (
    BrokerRegistrationChangeRecord,
    FenceBrokerRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
)

Sent = TypeVar("Sent")
FENCED, UNFENCED = 1, -1


class Endpoint(NamedTuple):
    """Where to reach a node on one of its listeners."""

    name: str
    host: str
    port: int
    security_protocol: int
    """0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL."""


class SupportedLevels(NamedTuple):
    """The levels of a feature that a node could run."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class BrokerState:
    """A registered broker."""

    broker_id: int
    epoch: int
    """The offset of its registration."""
    incarnation_id: bytes
    endpoints: Mapping[str, Endpoint]
    rack: str | None = None
    fenced: bool = True
    in_controlled_shutdown: bool = False
    log_dirs: tuple[bytes, ...] = ()
    """Directory ids, sorted."""
    features: Mapping[str, SupportedLevels] = field(default_factory=dict)
    is_migrating_zk_broker: bool = False
    cordoned_log_dirs: tuple[bytes, ...] | None = None
    """Directories that get no new replicas; None where the broker never reported them."""


def is_online(broker: BrokerState, directory: bytes) -> bool:
    """Whether the broker can serve what lies in this directory."""
    if directory in (UNASSIGNED_DIRECTORY, MIGRATING_DIRECTORY):
        return True
    if directory == LOST_DIRECTORY:
        return False
    # Where a broker registered before directories had ids, all that it has count as online.
    return not broker.log_dirs or directory in broker.log_dirs


def offline_replicas(state: PartitionState, alive: Mapping[int, BrokerState]) -> list[int]:
    """Those whose broker is not alive, or has lost the directory where they are."""
    return [
        broker_id
        for broker_id, directory in zip(state.replicas, state.directories, strict=True)
        if broker_id not in alive or not is_online(alive[broker_id], directory)
    ]


@dataclass(frozen=True, slots=True)
class ControllerState:
    """A registered controller."""

    controller_id: int
    incarnation_id: bytes
    endpoints: Mapping[str, Endpoint]
    features: Mapping[str, SupportedLevels] = field(default_factory=dict)
    zk_migration_ready: bool = False


@dataclass(frozen=True, slots=True)
class Cluster:
    """All nodes that are registered, fenced ones too."""

    brokers: Mapping[int, BrokerState] = field(default_factory=dict)
    controllers: Mapping[int, ControllerState] = field(default_factory=dict)


def broker_of(record: RegisterBrokerRecord) -> BrokerState:
    """The broker that a registration describes."""
    return BrokerState(
        broker_id=record.broker_id,
        epoch=record.broker_epoch,
        incarnation_id=record.incarnation_id,
        endpoints=endpoints_by_name(record.end_points),
        rack=record.rack,
        fenced=record.fenced,
        in_controlled_shutdown=record.in_controlled_shutdown,
        log_dirs=tuple(sorted(record.log_dirs)),
        features=levels_by_name(record.features),
        is_migrating_zk_broker=record.is_migrating_zk_broker,
        cordoned_log_dirs=_cordoned(record.cordoned_log_dirs),
    )


def controller_of(record: RegisterControllerRecord) -> ControllerState:
    """The controller that a registration describes."""
    return ControllerState(
        controller_id=record.controller_id,
        incarnation_id=record.incarnation_id,
        endpoints=endpoints_by_name(record.end_points),
        features=levels_by_name(record.features),
        zk_migration_ready=record.zk_migration_ready,
    )


def changed_broker(state: BrokerState, record: BrokerRegistrationChangeRecord) -> BrokerState:
    """The broker after a change."""
    cordoned = _cordoned(record.cordoned_log_dirs)
    return replace(
        state,
        fenced=state.fenced if record.fenced == 0 else record.fenced == FENCED,
        in_controlled_shutdown=state.in_controlled_shutdown or record.in_controlled_shutdown == 1,
        log_dirs=tuple(sorted(record.log_dirs)) or state.log_dirs,
        cordoned_log_dirs=state.cordoned_log_dirs if cordoned is None else cordoned,
    )


class SentEndpoint(Protocol):
    """An endpoint in any of the messages that have some; each names its fields alike."""

    name: str
    host: str
    port: int
    security_protocol: int


class SentFeature(Protocol):
    """A feature in any of the messages that have some."""

    name: str
    min_supported_version: int
    max_supported_version: int


def endpoints_by_name(sent: Iterable[SentEndpoint]) -> dict[str, Endpoint]:
    return {end.name: Endpoint(end.name, end.host, end.port, end.security_protocol) for end in sent}


def levels_by_name(sent: Iterable[SentFeature]) -> dict[str, SupportedLevels]:
    return {
        feature.name: SupportedLevels(feature.min_supported_version, feature.max_supported_version)
        for feature in sent
    }


def sent_endpoints(kind: Callable[..., Sent], endpoints: Iterable[Endpoint]) -> list[Sent]:
    """As a message has them whose endpoints are of this kind."""
    return [kind(**endpoint._asdict()) for endpoint in endpoints]


def sent_features(kind: Callable[..., Sent], levels: Mapping[str, tuple[int, int]]) -> list[Sent]:
    """As a message has them whose features are of this kind."""
    return [
        kind(name=name, min_supported_version=low, max_supported_version=high)
        for name, (low, high) in levels.items()
    ]


def _cordoned(directories: list[bytes] | None) -> tuple[bytes, ...] | None:
    return None if directories is None else tuple(sorted(directories))


class ClusterDelta:
    """What changes of the nodes."""

    def __init__(self, cluster: Cluster) -> None:
        self._before = cluster
        self._brokers: dict[int, BrokerState | None] = {}
        self._controllers: dict[int, ControllerState] = {}

    @property
    def changed_brokers(self) -> Mapping[int, BrokerState | None]:
        """The brokers that changed; None for one that is gone."""
        return self._brokers

    def broker(self, broker_id: int) -> BrokerState | None:
        """The broker as it is so far."""
        if broker_id in self._brokers:
            return self._brokers[broker_id]
        return self._before.brokers.get(broker_id)

    def apply_register_broker(self, record: RegisterBrokerRecord) -> None:
        self._brokers[record.broker_id] = broker_of(record)

    def apply_unregister_broker(self, record: UnregisterBrokerRecord) -> None:
        self._known(record.broker_id, record.broker_epoch)
        self._brokers[record.broker_id] = None

    def apply_registration_change(self, record: BrokerRegistrationChangeRecord) -> None:
        state = self._known(record.broker_id, record.broker_epoch)
        self._brokers[record.broker_id] = changed_broker(state, record)

    def apply_fence(self, record: FenceBrokerRecord) -> None:
        self._brokers[record.id] = replace(self._known(record.id, record.epoch), fenced=True)

    def apply_unfence(self, record: UnfenceBrokerRecord) -> None:
        self._brokers[record.id] = replace(self._known(record.id, record.epoch), fenced=False)

    def apply_register_controller(self, record: RegisterControllerRecord) -> None:
        self._controllers[record.controller_id] = controller_of(record)

    def build(self) -> Cluster:
        if not self._brokers and not self._controllers:
            return self._before
        brokers = {**self._before.brokers, **self._brokers}
        alive = {broker_id: state for broker_id, state in brokers.items() if state is not None}
        return Cluster(alive, {**self._before.controllers, **self._controllers})

    def _known(self, broker_id: int, epoch: int) -> BrokerState:
        state = self.broker(broker_id)
        if state is None or state.epoch != epoch:
            raise UnknownEntryError(
                f"metadata changes broker {broker_id} of epoch {epoch}, which is not registered"
            )
        return state
