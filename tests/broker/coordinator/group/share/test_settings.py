"""A group has its own settings, within the broker's bounds."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.settings import ShareGroupSettings
from moldau.broker.coordinator.share.partition.limits import ShareLimits
from moldau.broker.metadata.image import EMPTY_IMAGE
from tests.broker.coordinator.group.consumer.conversation import with_group_config
from tests.broker.coordinator.group.share.conversation import ShareSettings


def settings(**configs):
    image = with_group_config(EMPTY_IMAGE, "g", **configs).build()
    return ShareGroupSettings(ShareSettings(), image, "g")


def test_what_is_not_set_is_the_brokers():
    found = settings()
    assert found.limits() == ShareLimits()
    assert (found.session_timeout_ms, found.heartbeat_interval_ms) == (45_000, 5_000)
    assert (found.auto_offset_reset, found.reads_committed, found.may_renew) == (
        "latest",
        False,
        True,
    )


def test_what_is_set_counts_within_the_bounds():
    found = settings(
        share_record_lock_duration_ms="1",
        share_delivery_count_limit="7",
        share_partition_max_record_locks="999999",
        share_renew_acknowledge_enable="false",
        share_isolation_level="read_committed",
        share_auto_offset_reset="earliest",
        share_assignment_interval_ms="20000",
    )
    assert found.limits() == ShareLimits(15_000, 7, 4_000, may_renew=False)
    assert (found.auto_offset_reset, found.reads_committed) == ("earliest", True)
    assert found.assignment_interval_ms == 15_000
