"""What a controller writes first when it becomes active.

Into an empty log: the records with which the directory was formatted, in a metadata transaction,
and the least count of in-sync replicas as a cluster-wide config where eligible leaders depend on
it (KIP-966). Into any other: the end of a transaction that its predecessor left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moldau.broker.metadata.features import (
    ELR_VERSION,
    FEATURES,
    KRAFT_VERSION,
    METADATA_VERSION,
    METADATA_VERSION_LATEST,
    METADATA_VERSIONS,
)
from moldau.broker.metadata.settings import BROKER, CLUSTER_DEFAULT
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord, FeatureLevelRecord
from moldau.protocol.messages.stored.metadata_transactions import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
)
from moldau.protocol.wire.schema import Message

TRANSACTION_NAME = "Bootstrap records"
MIN_INSYNC_REPLICAS = "min.insync.replicas"


def bootstrap_records(
    metadata_version: int = METADATA_VERSION_LATEST, levels: dict[str, int] | None = None
) -> list[Message]:
    """Levels of a cluster that is formatted with this metadata.version; `levels` has exceptions."""
    chosen = {
        name: feature.default_level(metadata_version)
        for name, feature in FEATURES.items()
        if name != KRAFT_VERSION
    } | (levels or {})
    records: list[Message] = [
        FeatureLevelRecord(name=METADATA_VERSION, feature_level=metadata_version)
    ]
    records.extend(
        FeatureLevelRecord(name=name, feature_level=level)
        for name, level in sorted(chosen.items())
        if level > 0
    )
    return records


def empty_log_records(bootstrap: Sequence[Message], min_insync_replicas: int = 1) -> list[Message]:
    """What goes into a log without records."""
    records = list(bootstrap)
    levels = feature_levels(records)
    if levels.get(ELR_VERSION, 0) > 0:
        records.append(
            ConfigRecord(
                resource_type=BROKER,
                resource_name=CLUSTER_DEFAULT,
                name=MIN_INSYNC_REPLICAS,
                value=str(min_insync_replicas),
            )
        )
    if METADATA_VERSIONS[levels[METADATA_VERSION]].has_transactions:
        begin = BeginTransactionRecord(name=TRANSACTION_NAME)
        return [begin, *records, EndTransactionRecord()]
    return records


def feature_levels(records: Iterable[Message]) -> dict[str, int]:
    """The levels that these records set."""
    return {
        record.name: record.feature_level
        for record in records
        if isinstance(record, FeatureLevelRecord)
    }


def takeover_records(*, in_transaction: bool) -> list[Message]:
    """What goes into a log that another controller has written."""
    if not in_transaction:
        return []
    return [AbortTransactionRecord(reason="the controller that began it is not active any more")]
