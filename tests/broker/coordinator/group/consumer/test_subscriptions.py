"""What members read together."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.subscriptions import (
    ResolvedPattern,
    ids_of,
    is_homogeneous,
    names_read_by,
    patterns_read,
    preferred_assignor,
    topics_read,
)
from moldau.broker.metadata.image import Image
from tests.broker.coordinator.group.consumer.conversation import id_of, with_topics


def reader(*names: str, pattern: str = "", assignor: str | None = None) -> ConsumerMember:
    return ConsumerMember("m", topic_names=names, topic_pattern=pattern, assignor=assignor)


def test_members_with_the_same_names_are_alike():
    assert is_homogeneous([reader("a", "b"), reader("a", "b")], {})
    assert not is_homogeneous([reader("a"), reader("b")], {})
    assert is_homogeneous([reader(), reader()], {})


def test_members_with_one_pattern_are_alike():
    resolved = {"a.*": ResolvedPattern(frozenset({"ab"}))}
    assert is_homogeneous([reader(pattern="a.*")] * 2, resolved)
    assert not is_homogeneous([reader(pattern="a.*"), reader("ab")], resolved)
    assert not is_homogeneous([reader("c", pattern="a.*")] * 2, resolved)


def test_a_member_reads_its_names_and_what_its_pattern_matched():
    resolved = {"a.*": ResolvedPattern(frozenset({"ab", "ac"}))}
    both = reader("ac", "z", pattern="a.*")
    assert sorted(names_read_by(both, resolved)) == ["ab", "ac", "z"]
    assert sorted(topics_read([both], resolved)) == ["ab", "ac", "z"]
    assert names_read_by(both, {}) == ["ac", "z"]


def test_only_topics_that_exist_have_ids():
    image = with_topics(Image(), "", t=1).build()
    assert ids_of(["x", "t"], image) == [id_of("t")]


def test_most_votes_choose_the_assignor():
    members = [reader(assignor="range"), reader(assignor="uniform"), reader(assignor="range")]
    assert preferred_assignor(members, "uniform") == "range"
    assert preferred_assignor([reader()], "uniform") == "uniform"


def test_patterns_are_counted_with_their_readers():
    assert patterns_read([reader(pattern="a"), reader(pattern="a"), reader("x")]) == {"a": 2}
