"""Committed and pending offsets."""

from __future__ import annotations

from moldau.broker.coordinator.group.offsets.store import CommittedOffset, OffsetStore, Place
from moldau.protocol.messages.stored.offsets import OffsetCommitValue

PLACE = Place("t", 0)
ONE, OTHER = bytes(15) + b"\1", bytes(15) + b"\2"


def committed(offset: int, record_offset: int = 0, topic_id: bytes = bytes(16)) -> CommittedOffset:
    value = OffsetCommitValue(offset=offset, metadata="", commit_timestamp=5, topic_id=topic_id)
    return CommittedOffset.of(value, record_offset)


def test_an_offset_is_found_until_it_is_removed():
    store = OffsetStore()
    store.put("g", PLACE, committed(7))
    assert store.of_group("g")[PLACE].offset == 7
    store.remove("g", PLACE)
    assert store.of_group("g") == {}
    assert store.group_ids() == []


def test_commits_are_counted_by_group_until_its_last_offset_is_gone():
    store = OffsetStore()
    other = Place("t", 1)
    for place in (PLACE, PLACE, other):
        store.put("g", place, committed(7))
    store.put_pending(9, "h", PLACE, committed(7))
    assert store.commits_by_group() == [("g", 3)]
    store.end_transaction(9, is_commit=True)
    assert store.commits_by_group() == [("g", 3), ("h", 1)]
    store.remove("g", PLACE)
    assert store.commits_by_group()[0] == ("g", 3)
    store.remove("g", other)
    assert store.commits_by_group() == [("h", 1)]


def test_a_pending_offset_counts_when_its_transaction_commits():
    store = OffsetStore()
    store.put_pending(9, "g", PLACE, committed(7))
    assert store.has_pending("g", PLACE)
    assert store.of_group("g") == {}
    store.end_transaction(9, is_commit=True)
    assert store.of_group("g")[PLACE].offset == 7
    assert not store.has_pending("g", PLACE)


def test_an_aborted_offset_never_counts():
    store = OffsetStore()
    store.put_pending(9, "g", PLACE, committed(7))
    assert store.group_ids() == ["g"]
    store.end_transaction(9, is_commit=False)
    assert store.of_group("g") == {}
    assert not store.has_any_pending("g")


def test_an_offset_that_lies_later_in_the_log_wins_over_the_transaction():
    store = OffsetStore()
    store.put_pending(9, "g", PLACE, committed(7, record_offset=10))
    store.put("g", PLACE, committed(8, record_offset=11))
    store.end_transaction(9, is_commit=True)
    assert store.of_group("g")[PLACE].offset == 8


def test_a_transaction_wins_over_what_was_there_before_it():
    store = OffsetStore()
    store.put("g", PLACE, committed(8, record_offset=9))
    store.put_pending(9, "g", PLACE, committed(7, record_offset=10))
    assert list(store.pending_places("g")) == [PLACE]
    store.end_transaction(9, is_commit=True)
    assert store.of_group("g")[PLACE].offset == 7


def test_what_is_removed_is_not_pending_either():
    store = OffsetStore()
    store.put_pending(9, "g", PLACE, committed(7))
    store.remove("g", PLACE)
    assert not store.has_any_pending("g")
    store.end_transaction(9, is_commit=True)
    assert store.of_group("g") == {}


def test_an_offset_belongs_to_another_topic_only_if_both_ids_are_known():
    assert committed(1, topic_id=ONE).is_of_other_topic(OTHER)
    assert not committed(1, topic_id=ONE).is_of_other_topic(ONE)
    assert not committed(1).is_of_other_topic(OTHER)
    assert not committed(1, topic_id=ONE).is_of_other_topic(bytes(16))


def test_a_store_shows_itself():
    assert repr(OffsetStore()) == "OffsetStore(0 offsets, 0 open transactions)"
