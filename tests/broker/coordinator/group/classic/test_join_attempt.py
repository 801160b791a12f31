"""A JoinGroup request on its way."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.join_attempt import JoinAttempt, random_uuid
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.shard import RequestContext
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from tests.broker.coordinator.group.classic.conversation import join


def attempt(version: int = 9, **how) -> JoinAttempt:
    request = join(**how).request
    assert isinstance(request, JoinGroupRequest)
    asking = RequestContext(1, version, "client", "/127.0.0.1")
    return JoinAttempt(ClassicGroup("g", 0), request, asking, Draft(), 0)


def test_a_random_uuid_is_of_version_4():
    text = random_uuid(SeededRandom(1))
    assert [len(part) for part in text.split("-")] == [8, 4, 4, 4, 12]
    assert text[14] == "4"
    assert text[19] in "89ab"


def test_an_id_begins_with_the_client_or_the_instance():
    random = SeededRandom(1)
    assert attempt().invented_member_id(random).startswith("client-")
    assert attempt(instance="i").invented_member_id(random).startswith("i-")


def test_a_request_makes_a_member():
    member = attempt(instance="i").as_member("m")
    assert (member.member_id, member.instance_id, member.client_host) == ("m", "i", "/127.0.0.1")
    assert (member.session_timeout_ms, member.rebalance_timeout_ms) == (10_000, 60_000)
    assert attempt(0).as_member("m").rebalance_timeout_ms == 10_000
