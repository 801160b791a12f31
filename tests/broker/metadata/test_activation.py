"""What an active controller writes first."""

from __future__ import annotations

from moldau.broker.metadata.activation import (
    bootstrap_records,
    empty_log_records,
    feature_levels,
    takeover_records,
)
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord, FeatureLevelRecord
from moldau.protocol.messages.stored.metadata_transactions import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
)


def test_a_new_cluster_gets_what_its_metadata_version_brought():
    assert feature_levels(bootstrap_records(30)) == {
        "metadata.version": 30,
        "eligible.leader.replicas.version": 1,
        "group.version": 1,
        "share.version": 1,
        "streams.version": 1,
        "transaction.version": 2,
    }
    assert feature_levels(bootstrap_records(21)) == {"metadata.version": 21}


def test_single_levels_may_be_chosen():
    levels = feature_levels(bootstrap_records(30, {"share.version": 0, "transaction.version": 1}))
    assert "share.version" not in levels
    assert levels["transaction.version"] == 1


def test_the_first_records_are_one_transaction_with_the_least_count_of_replicas():
    records = empty_log_records(bootstrap_records(30), min_insync_replicas=2)
    assert records[0] == BeginTransactionRecord(name="Bootstrap records")
    assert isinstance(records[-1], EndTransactionRecord)
    config = records[-2]
    assert isinstance(config, ConfigRecord)
    assert (config.resource_type, config.resource_name, config.value) == (4, "", "2")


def test_old_metadata_versions_know_neither_transactions_nor_eligible_leaders():
    assert empty_log_records(bootstrap_records(12)) == [
        FeatureLevelRecord(name="metadata.version", feature_level=12)
    ]


def test_a_transaction_that_was_left_open_is_aborted():
    assert takeover_records(in_transaction=False) == []
    assert [type(one) for one in takeover_records(in_transaction=True)] == [AbortTransactionRecord]
