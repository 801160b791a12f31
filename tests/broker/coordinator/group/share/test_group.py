"""What share groups say of themselves to offsets and administration."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.group import Committed, GroupType
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.member import ShareMember
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode


def test_an_empty_group_may_be_deleted_and_another_may_not():
    group = ShareGroup("g")
    group.check_delete()
    group.members["m"] = ShareMember("m", topic_names=("t",))
    with pytest.raises(KafkaError) as refused:
        group.check_delete()
    assert refused.value.code == ErrorCode.NON_EMPTY_GROUP
    assert (group.state_name, group.is_empty) == ("Stable", False)


def test_it_has_no_offsets_that_could_be_committed():
    group = ShareGroup("g")
    for ask in (
        lambda: group.check_commit("m", None, 1, is_transactional=False, version=9),
        lambda: group.check_commit_of("m", 1, Committed("t", b"t" * 16, 0)),
        group.check_offset_delete,
    ):
        with pytest.raises(KafkaError) as refused:
            ask()
        assert refused.value.code == ErrorCode.GROUP_ID_NOT_FOUND
    assert group.offset_age() is None


def test_a_client_that_asks_for_its_offsets_is_answered_that_there_are_none():
    ShareGroup("g").check_fetch("m", 1)


def test_it_is_listed_as_a_share_group():
    group = ShareGroup("g")
    group.members["m"] = ShareMember("m", topic_names=("t",))
    assert (group.group_type, group.protocol_type) == (GroupType.SHARE, "share")
    assert group.is_subscribed_to("t")
    assert not group.is_subscribed_to("u")
    assert len(group.tombstones()) == 6
