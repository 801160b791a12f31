"""Events are CloudEvents, and hold what their readers ask for."""

import json
from datetime import datetime
from types import SimpleNamespace

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.audit.events import EVENTS_MAX, TEXT_MAX, THINGS_MAX, Events
from moldau.network.principal import ANONYMOUS
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from tests.broker.server.asking import call_of

CALL = call_of(CreateTopicsRequest(topics=[]), 7)
HERE = Address("10.1.2.3", 4711)


def made(kind, *given):
    events = Events(3, SimulatedClock(), SeededRandom(1))
    events.cluster_id = "c"
    return json.loads(getattr(events, kind)(*given))


def test_each_has_what_cloudevents_require():
    event = made("login", "CLIENTS", HERE, "PLAIN", "User:a")
    assert {event["specversion"], event["source"]} == {"1.0", "/clusters/c/nodes/3"}
    assert event["type"] == "moldau.audit.login"
    assert event["time"].endswith("Z")
    assert len(event["id"]) == 32


def test_times_are_those_of_the_calendar(seed):
    random = SeededRandom(seed)
    drawn = (random.randrange(0, 2**42) for _ in range(500))
    moments = [0, 951_782_400_000, 4_107_542_399_999, *drawn]
    for now_ms in moments:
        clock = SimulatedClock(now_ms)
        event = json.loads(Events(1, clock, random).login("L", HERE, "PLAIN", None))
        read = datetime.fromisoformat(event["time"]).timestamp()
        assert round(read * 1000) == now_ms


def test_a_login_is_good_unless_there_is_a_reason_against_it():
    good = made("login", "CLIENTS", HERE, "PLAIN", "User:a")["data"]
    bad = made("login", "CLIENTS", HERE, "PLAIN", None, "wrong password")["data"]
    assert (good["result"], good["principal"], good["address"]) == ("ok", "User:a", "10.1.2.3")
    assert (bad["result"], bad["reason"], "principal" in bad) == ("failed", "wrong password", False)


def test_a_denied_decision_has_who_asked_for_what_by_which_request():
    event = made("denied", CALL, Operation.WRITE, Resource.TOPIC, "t")
    data = event["data"]
    assert event["subject"] == "TOPIC:t"
    assert (data["api"], data["client_id"], data["listener"]) == (
        "CreateTopics", "a client", "PLAINTEXT"
    )  # fmt: skip
    assert (data["operation"], data["resource_name"]) == ("WRITE", "t")


def test_who_is_no_request_has_no_api():
    caller = SimpleNamespace(principal=ANONYMOUS, peer=HERE)
    assert "api" not in made("denied", caller, Operation.READ, Resource.GROUP, "g")["data"]


def test_what_clients_make_long_is_cut():
    for event in changes(["x" * 10_000] * 200, {"B", "A"}):
        assert (event["count"], len(event["changes"])) == (200, THINGS_MAX)
        assert len(event["changes"][0]) == TEXT_MAX + 1
        assert event["errors"] == ["A", "B"]


def changes(*given):
    events = Events(3, SimulatedClock(), SeededRandom(1))
    return [json.loads(line)["data"] for line in events.changes(CALL, *given)]


def test_no_change_hides_behind_many_others():
    things = [f"topic {number}" for number in range(250)]
    found = [
        thing
        for event in changes([*things, "rule allow User:eve"], ())
        for thing in event["changes"]
    ]
    assert found == [*things, "rule allow User:eve"]
    assert len(changes(["t"] * 1_000_000, ())) == EVENTS_MAX
    assert [event["count"] for event in changes([], ())] == [0]


def test_a_gap_is_an_event():
    event = made("dropped", 7)
    assert (event["type"], event["data"]) == ("moldau.audit.dropped", {"count": 7})
