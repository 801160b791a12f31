"""What a broker looks at before it asks the controller to change settings.

The form comes first, as in Kafka: a setting named twice, one without a value; then access (on a
controller it is the other way round). Settings of brokers are judged after that, where Kafka judges
them before: a client that may not change them gets nothing of them. They are judged here, by the
broker they are for, since no other has what it runs with; those of all brokers by whichever is
asked. Everything else the controller judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from moldau.broker.metadata.settings import BROKER, CLIENT_METRICS, GROUP, TOPIC
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import require
from moldau.config.broker.checks import check
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.config.sources import may_change
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

LOGGER = 8
NODE_ID = re.compile(r"[0-9]{1,10}")

THREAD_COUNTS = frozenset(
    {
        "background.threads",
        "log.cleaner.threads",
        "num.io.threads",
        "num.network.threads",
        "num.recovery.threads.per.data.dir",
        "num.replica.fetchers",
    }
)


def check_resource(call: Call, broker: Broker, kind: int, name: str, operation: Operation) -> None:
    """Check that the caller may do this to the resource's settings."""
    if kind == TOPIC:
        require(call, broker, operation, Resource.TOPIC, name)
    elif kind == GROUP:
        require(call, broker, operation, Resource.GROUP, name)
    elif kind in (BROKER, CLIENT_METRICS):
        require(call, broker, operation, Resource.CLUSTER, CLUSTER_NAME)
    elif kind != LOGGER:
        # To a controller it may be a type of a later version.
        is_forwarded = is_checked_elsewhere(call, broker)
        code = ErrorCode.UNSUPPORTED_VERSION if is_forwarded else ErrorCode.INVALID_REQUEST
        raise KafkaError(code, f"{kind} is no type of resource with settings")
    elif is_checked_elsewhere(call, broker):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "loggers are changed at their own node")
    else:
        require(call, broker, operation, Resource.CLUSTER, CLUSTER_NAME)


def check_form(names: Iterable[str], without_value: Sequence[str] = ()) -> None:
    """Each setting once, and none without the value that it needs."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Error due to duplicate config keys")
        seen.add(name)
    if without_value:
        text = f"Null value not supported for : {','.join(without_value)}"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)


def is_checked_elsewhere(call: Call, broker: Broker) -> bool:
    """A controller takes what a broker forwards: that one has checked its own settings."""
    return broker.serves_controllers(call.listener)


def check_broker(broker: Broker, name: str, changes: Mapping[str, str | None]) -> None:
    """Refuse settings that this broker, or brokers in general, cannot change while they run."""
    check_is_here(broker, name, may_be_all=True)
    fixed = [key for key in changes if not may_change(key, for_all=name == "")]
    if fixed:
        text = f"{', '.join(fixed)} cannot be changed for {'all brokers' if not name else 'one'}"
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{text} while running")
    try:
        wanted = broker.settings.changed(changes)
        check(wanted)
        _check_tls(broker, wanted, changes)
    except SettingError as error:
        raise KafkaError(ErrorCode.INVALID_REQUEST, str(error)) from error
    for key in THREAD_COUNTS & changes.keys():
        attribute = BrokerSettings.KEYS[key].attribute
        _check_threads(key, getattr(broker.settings, attribute), getattr(wanted, attribute))


def _check_tls(broker: Broker, wanted: BrokerSettings, changes: Mapping[str, str | None]) -> None:
    """What is deleted is again what the node's file has."""
    if broker.check_tls is None or not any("ssl." in key for key in changes):
        return
    file = broker.started_with
    again = {key: file[key] for key, value in changes.items() if value is None and key in file}
    broker.check_tls(wanted.changed(again) if again else wanted)


def _check_threads(key: str, count: int, wanted: int) -> None:
    """One change may halve or double them, as in Kafka: the rest of the way takes another."""
    if not count // 2 <= wanted <= count * 2:
        text = f"{key} is {count}; it can become {count // 2} to {count * 2}, not {wanted}"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)


def check_is_here(broker: Broker, name: str, *, may_be_all: bool) -> None:
    """Whether the resource is this node."""
    if may_be_all and not name:
        return
    if not NODE_ID.fullmatch(name):
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{name!r} is no node id")
    if int(name) != broker.node_id:
        text = f"this is node {broker.node_id}; ask node {name} itself"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
