"""Levels of features."""

from __future__ import annotations

from moldau.broker.metadata.features import (
    FEATURES,
    METADATA_VERSION_LATEST,
    METADATA_VERSION_MIN,
    METADATA_VERSION_UNSTABLE,
    METADATA_VERSIONS,
    metadata_version_named,
    supported_levels,
)


def test_levels_are_named_by_release_or_in_full():
    assert metadata_version_named("4.1") == METADATA_VERSIONS[27]
    assert metadata_version_named("4.1-IV0") == METADATA_VERSIONS[26]
    assert metadata_version_named("9.9") is None


def test_a_level_that_may_still_change_has_its_full_name_alone():
    assert metadata_version_named("4.4-IV0") == METADATA_VERSIONS[31]
    assert metadata_version_named("4.4") is None
    assert supported_levels(unstable=True)["metadata.version"] == (7, 31)


def test_the_latest_is_that_of_the_latest_release():
    latest = METADATA_VERSIONS[METADATA_VERSION_LATEST]
    assert (latest.name, latest.release) == ("4.3-IV0", "4.3")
    assert max(METADATA_VERSIONS) == METADATA_VERSION_UNSTABLE
    assert min(METADATA_VERSIONS) == METADATA_VERSION_MIN


def test_a_level_knows_what_it_switches_on():
    assert not METADATA_VERSIONS[12].has_transactions
    assert METADATA_VERSIONS[13].has_transactions
    assert METADATA_VERSIONS[23].has_elr
    assert METADATA_VERSIONS[30].has_cordoned_directories


def test_features_come_with_the_release_that_brought_them():
    assert FEATURES["transaction.version"].default_level(23) == 0
    assert FEATURES["transaction.version"].default_level(24) == 2
    assert FEATURES["share.version"].default_level(30) == 1


def test_a_node_says_what_it_could_run():
    levels = supported_levels()
    assert levels["metadata.version"] == (7, 30)
    assert levels["transaction.version"] == (0, 2)
    assert len(levels) == 7
