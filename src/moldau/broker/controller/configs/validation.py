"""Whether a resource may have these settings.

Judged are all settings that the resource would have afterwards, because some only make sense
together. Settings of brokers are judged by the broker they are for, before it asks the controller:
here only the resource's name is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from moldau.broker.controller.configs.group_bounds import group_complaint
from moldau.broker.controller.topics.names import check_name
from moldau.broker.metadata.settings import BROKER, CLIENT_METRICS, GROUP, TOPIC
from moldau.broker.metadata.topics import INTERNAL_TOPICS
from moldau.config.broker.settings import BrokerSettings
from moldau.config.client_metrics import ClientMetricsSettings
from moldau.config.group import GroupSettings
from moldau.config.group_defaults import group_settings
from moldau.config.refusals import SettingError
from moldau.config.topic import TopicSettings
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

LOGGER = 8
NODE_ID = re.compile(r"[0-9]{1,10}")
KEY_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
PUSH_INTERVAL_MS = (100, 3_600_000)
"""Bounds of how often clients push their metrics."""
SELECTORS = frozenset(
    {
        "client_instance_id",
        "client_id",
        "client_software_name",
        "client_software_version",
        "client_source_address",
        "client_source_port",
    }
)
"""What a client may be matched by."""


def check_settings(
    resource_type: int, name: str, values: Mapping[str, str], settings: BrokerSettings
) -> None:
    """Refuse what the resource cannot have, with INVALID_CONFIG or INVALID_REQUEST."""
    try:
        if resource_type == TOPIC:
            _check_topic(name, values, settings)
        elif resource_type == BROKER:
            _check_broker(name, values)
        elif resource_type == CLIENT_METRICS:
            _check_client_metrics(name, values)
        elif resource_type == GROUP:
            _check_group(name, values, settings)
        elif resource_type == LOGGER:
            _refuse_request("levels of loggers are not kept in the metadata")
        else:
            text = f"{resource_type} is no type of resource"
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)
    except SettingError as error:
        raise KafkaError(ErrorCode.INVALID_CONFIG, str(error)) from error


def _check_topic(name: str, values: Mapping[str, str], settings: BrokerSettings) -> None:
    if not name:
        _refuse_request("there are no settings for all topics; name one")
    check_name(name)
    _check_known(TopicSettings.unknown(values), "topic")
    found = TopicSettings(values)
    if found.min_compaction_lag_ms > found.max_compaction_lag_ms:
        _refuse("min.compaction.lag.ms must not exceed max.compaction.lag.ms")
    if found.remote_storage_enable and not settings.remote_log_storage_system_enable:
        _refuse("remote.storage.enable needs a broker with remote.log.storage.system.enable=true")
    if found.encryption_at_rest:
        _check_encryption(name, found.encryption_at_rest)


def _check_encryption(topic: str, key_name: str) -> None:
    if topic in INTERNAL_TOPICS:
        _refuse(f"encryption.at.rest is for topics of clients; {topic} is the brokers' own")
    if KEY_NAME.fullmatch(key_name) is None:
        _refuse(
            f"encryption.at.rest = {key_name!r} names no key; a name has up to 100 letters, "
            f"digits, '-' and '_'"
        )


def _check_broker(name: str, values: Mapping[str, str]) -> None:
    if name and not NODE_ID.fullmatch(name):
        _refuse_request(f"{name!r} is no broker id; give a number, or nothing for all brokers")
    BrokerSettings(values)  # what cannot be read would be read by every broker


def _check_client_metrics(name: str, values: Mapping[str, str]) -> None:
    if not name:
        _refuse_request("a subscription to clients' metrics needs a name")
    unknown = ClientMetricsSettings.unknown(values)
    if unknown:
        _refuse_request(f"subscriptions have no setting {unknown[0]}")
    found = ClientMetricsSettings(values)
    low, high = PUSH_INTERVAL_MS
    if not low <= found.interval_ms <= high:
        _refuse_request(f"interval.ms is {found.interval_ms}; it must be {low} to {high}")
    for pattern in found.match:
        _check_match(pattern)


def _check_match(pattern: str) -> None:
    selector, equals, expression = pattern.partition("=")
    if not equals or selector.strip() not in SELECTORS:
        text = f"{pattern!r} is no match; write one of {', '.join(sorted(SELECTORS))}=expression"
        raise KafkaError(ErrorCode.INVALID_CONFIG, text)
    try:
        re.compile(expression.strip())
    except re.error as error:
        text = f"{expression.strip()!r} is no regular expression: {error}"
        raise KafkaError(ErrorCode.INVALID_CONFIG, text) from error


def _check_group(name: str, values: Mapping[str, str], settings: BrokerSettings) -> None:
    if not name:
        _refuse_request("there are no settings for all groups; name one")
    _check_known(GroupSettings.unknown(values), "group")
    complaint = group_complaint(group_settings(settings, values), settings)
    if complaint:
        _refuse(complaint)


def _check_known(unknown: list[str], kind: str) -> None:
    if unknown:
        _refuse(f"Unknown {kind} config name: {unknown[0]}")


def _refuse(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_CONFIG, text)


def _refuse_request(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_REQUEST, text)
