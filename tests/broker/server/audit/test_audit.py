"""The parts of a node's audit are put together as the settings say."""

import json

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.audit.audit import Audit
from moldau.config.own import OwnSettings
from moldau.platform.ports.files import read_whole
from moldau.platform.ports.network import Address
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.produce import ProduceRequest
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import Judge

PRODUCE = call_of(ProduceRequest(acks=1, timeout_ms=1, topic_data=[]), 9)


def played(act, **own):
    files = SimulatedFiles()
    made = []

    async def main(tasks):
        given = {f"moldau.audit.{name}": text for name, text in own.items()}
        audit = Audit(
            OwnSettings(given),
            1,
            files=files,
            clock=SimulatedClock(),
            random=SeededRandom(1),
            tasks=tasks,
        )
        made.append(audit)
        act(audit)
        await audit.close()

    simulated_tasks.run(main)
    lines = read_whole(files, own["file"]).splitlines() if files.status("audit.log") else []
    return made[0], [json.loads(line) for line in lines]


def test_logins_and_denials_are_in_the_file():
    def act(audit):
        broker = broker_with()
        broker.authorizer = Judge()
        audit.serve(broker)
        assert broker.audit is audit
        audit.logged_in("CLIENTS", Address("h", 1), "PLAIN", "User:a")
        audit.handshakes_of("SECURE")(Address("h", 1), "expired")
        assert not broker.authorizer.allows(PRODUCE, Operation.WRITE, Resource.TOPIC, "t")

    audit, events = played(act, file="audit.log")
    assert [event["type"].rpartition("audit.")[2] for event in events] == [
        "login", "login", "decision.denied"
    ]  # fmt: skip
    assert events[1]["data"]["listener"] == "SECURE"
    assert [(trail.name, trail.written) for trail in audit.trails] == [("file", 3)]


def test_a_topic_has_a_queue_of_its_own():
    audit, _ = played(lambda audit: None, file="audit.log", topic="audit")
    assert [trail.name for trail in audit.trails] == ["file", "topic"]


def test_a_flood_of_failed_logins_hides_no_change():
    def act(audit):
        for _ in range(100):
            audit.logged_in("CLIENTS", Address("h", 1), "PLAIN", None, "wrong password")
        audit.logged_in("CLIENTS", Address("h", 1), "PLAIN", "User:eve")
        audit._changed(PRODUCE, ["rule allow User:eve", "topic t"], {"INVALID_REQUEST"})

    own = {"file": "audit.log", "queue.events": "10"}
    _, events = played(act, **own)
    kinds = [event["type"].rpartition("audit.")[2] for event in events]
    assert kinds == [*["login"] * 5, "dropped", "login", "change"]
    assert events[5]["data"] == {"count": 95}
