"""Ordinary commits leave what commits leave, or are left to them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from moldau.broker.coordinator.group.offsets.encoding import encode_key
from moldau.broker.coordinator.group.offsets.ordinary import CommitPart, Committer, Progress
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.wire.types import NULL_UUID
from tests.broker.coordinator.group.classic.conversation import SESSION_MS, heartbeat, meet
from tests.broker.coordinator.group.consumer.conversation import Client, id_of, settle, stage
from tests.broker.coordinator.group.offsets.words import codes, commit
from tests.broker.coordinator.group.play import Asked, Play, SomeSettings, Stored

ID = bytes(range(16))


def ordinarily(play: Play, asked: Asked) -> bool:
    """Commit the other way; False where it was left to the plain one."""
    request, commits = asked.request, play.shard.ordinary_commits
    assert isinstance(request, OffsetCommitRequest)
    parts = tuple(
        CommitPart(
            Place(topic.name, one.partition_index),
            encode_key(request.group_id, topic.name, one.partition_index),
            topic.topic_id,
        )
        for topic in request.topics
        for one in topic.partitions
    )
    said = [
        Progress(
            one.committed_offset,
            one.committed_leader_epoch,
            (one.committed_metadata or "").encode(),
        )
        for topic in request.topics
        for one in topic.partitions
    ]
    committer = Committer(
        request.group_id,
        request.member_id,
        request.group_instance_id,
        request.generation_id_or_member_epoch,
        asked.version,
        parts,
    )
    pairs = commits.decide(committer, said, play.now_ms)
    if pairs is None:
        return False
    commits.apply(committer, said, play.now_ms, len(play.log))
    play.log += [Stored(key, value) for key, value in pairs]
    return True


def left_by(play: Play) -> tuple[Any, ...]:
    return play.log, play.shard.groups.offsets.of_group("g"), play.shard.wake_at_ms()


def several(*asked: Asked) -> Asked:
    """All in one request."""
    first, *others = asked
    for one in others:
        first.request.topics += one.request.topics  # type: ignore[attr-defined]
    return first


COMMITS = some.builds(
    commit,
    some.integers(-1, 1 << 62),
    topic=some.sampled_from(("t", "u")),
    topic_id=some.sampled_from((NULL_UUID, ID)),
    partition=some.integers(0, 2),
    metadata=some.sampled_from((None, "", "", "m", "m" * 126, "m" * 127, "ü")),
    leader_epoch=some.integers(-1, 9),
)


@given(some.lists(some.lists(COMMITS, min_size=1, max_size=3), min_size=1, max_size=5))
def test_both_ways_leave_the_same(commits):
    one, other = Play(), Play()
    for play in (one, other):
        play >> commit(1)
    for parts in commits:
        asked = several(*parts)
        assert codes(one >> asked) == [0] * len(parts)
        is_ordinary = ordinarily(other, asked)
        texts = [topic.partitions[0].committed_metadata or "" for topic in asked.request.topics]  # type: ignore[attr-defined]
        assert is_ordinary == all(len(text) < 127 and text.isascii() for text in texts)
        if not is_ordinary:
            other >> asked
    assert left_by(one) == left_by(other)
    assert left_by(other)[1] == other.restarted().shard.groups.offsets.of_group("g")


def test_the_first_commit_of_a_group_is_left_to_the_plain_way():
    assert not ordinarily(Play(), commit(7))


def test_metadata_may_be_as_long_as_the_setting_says():
    play = Play(SomeSettings(offset_metadata_max_bytes=5))
    play >> commit(1)
    assert not ordinarily(play, commit(7, metadata="m" * 6))
    assert ordinarily(play, commit(7, metadata="m" * 5))


@pytest.mark.parametrize(
    ("member", "generation", "is_taken"),
    [("leader", 1, True), ("leader", 0, False), ("nobody", 1, False), ("", -1, False)],
)
def test_members_of_classic_groups_commit_in_their_generation(member, generation, is_taken):
    meeting = meet()
    asked = commit(7, meeting.leader if member == "leader" else member, generation)
    assert ordinarily(meeting.play, asked) is is_taken
    assert ((meeting.play >> asked).refusal == 0) is is_taken


def test_a_commit_keeps_the_session_of_its_member():
    meeting = meet()
    for _ in range(3):
        meeting.play.pass_ms(SESSION_MS - 1)
        for member in meeting.members:
            assert ordinarily(meeting.play, commit(7, member, 1))
    assert (meeting.play >> heartbeat(meeting.leader)).code == 0


def test_members_of_consumer_groups_commit_in_their_epoch():
    play = stage(t=4)
    a, b = Client(play, "a"), Client(play, "b")
    settle(play, a)
    settle(play, a, b)
    epoch = play.shard.groups.by_id["g"].members["a"].epoch  # type: ignore[attr-defined]
    assert ordinarily(play, commit(7, "a", epoch, topic_id=id_of("t")))
    assert not ordinarily(play, commit(7, "a", epoch + 1, topic_id=id_of("t")))
    older = commit(7, "a", epoch - 1, topic_id=id_of("t"))
    assert not ordinarily(play, older)  # an older one is looked at partition by partition
    assert codes(play >> older) == [0]
