"""Members of classic groups and what they vote for."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.member import (
    ClassicMember,
    MemberProtocol,
    chosen_protocol,
    protocols_of_all,
)


def member(*names: str, **how) -> ClassicMember:
    protocols = tuple(MemberProtocol(name, name.encode()) for name in names)
    return ClassicMember("m", None, "c", "/h", 1, 1, protocols, **how)


def test_a_protocol_has_to_be_known_to_all():
    assert protocols_of_all([member("a", "b"), member("b", "c")]) == {"b"}
    assert protocols_of_all([]) is None


def test_the_protocol_with_most_votes_is_chosen():
    assert chosen_protocol([member("a", "b"), member("b", "a"), member("b", "a")]) == "b"


def test_a_vote_counts_only_for_what_all_know():
    assert chosen_protocol([member("x", "b", "a"), member("y", "b", "a")]) == "b"


def test_with_equal_votes_the_first_is_chosen():
    assert chosen_protocol([member("a", "b"), member("b", "a")]) == "a"


def test_metadata_of_an_unknown_protocol_are_empty():
    assert member("a").metadata("a") == b"a"
    assert member("a").metadata("b") == b""


def test_who_waits_is_excused_unless_it_is_new():
    assert not member("a").is_excused
    assert member("a", joining=1).is_excused
    assert member("a", syncing=1).is_excused
    assert not member("a", joining=1, is_new=True).is_excused
