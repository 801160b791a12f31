"""What follows from `min.insync.replicas`, on which eligible replicas depend (KIP-966).

A replica that left the ISR while it was below the minimum is eligible; so the minimum must be the
same for all brokers, and when it changes, no replica is eligible until it is known anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.controller.configs.effective import MIN_ISR
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.settings import BROKER, CLUSTER_DEFAULT, TOPIC
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from moldau.protocol.messages.stored.metadata_topics import ClearElrRecord
from moldau.protocol.wire.error_codes import ErrorCode


def check_min_isr(record: ConfigRecord, situation: Situation) -> None:
    """Refuse a change after which brokers would disagree on the minimum."""
    if not situation.elr_enabled or (record.resource_type, record.name) != (BROKER, MIN_ISR):
        return
    if record.resource_name != CLUSTER_DEFAULT:
        text = f"{MIN_ISR} cannot be set for one broker while eligible leader replicas are enabled"
        raise KafkaError(ErrorCode.INVALID_CONFIG, f"{text}; set it for all")
    if record.value is None:
        text = f"{MIN_ISR} of all brokers cannot be removed while eligible leader replicas are"
        raise KafkaError(ErrorCode.INVALID_CONFIG, f"{text} enabled; set it to what you want")


def clear_elr_records(
    records: Iterable[ConfigRecord], situation: Situation
) -> list[ClearElrRecord]:
    """Remove the eligible leaders (ELR) wherever these settings move the minimum."""
    if not situation.elr_enabled:
        return []
    return [
        ClearElrRecord(topic_name=record.resource_name if record.resource_type == TOPIC else "")
        for record in records
        if record.name == MIN_ISR
    ]


def elr_safety_records(situation: Situation) -> list[ConfigRecord]:
    """What must be so before eligible replicas are enabled: one minimum, set for all brokers."""
    configs = situation.image.configs
    records = []
    if MIN_ISR not in configs.of(BROKER, CLUSTER_DEFAULT):
        value = str(situation.settings.min_insync_replicas)
        records.append(_record(CLUSTER_DEFAULT, value))
    for resource_type, name in sorted(configs.by_resource):
        own = resource_type == BROKER and name != CLUSTER_DEFAULT
        if own and MIN_ISR in configs.of(resource_type, name):
            records.append(_record(name, None))
    return records


def _record(broker: str, value: str | None) -> ConfigRecord:
    return ConfigRecord(resource_type=BROKER, resource_name=broker, name=MIN_ISR, value=value)
