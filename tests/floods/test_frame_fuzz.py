"""Whatever comes through a socket, the node answers it or ends the link, and serves others on.

All the time an honest client writes and reads beside the attacker; its first failure fails the
test. The long form has a third of a million damaged requests for it to get through.
"""

from __future__ import annotations

import socket
from itertools import islice

import pytest

from moldau.broker.server.apis import BROKER, CONTROLLER
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.floods.attacked_node import attacked, create_topic
from tests.floods.drawn_frames import LEFT_ALONE, TARGET, Drawer, with_size
from tests.floods.hollow_requests import SHAPES, hollow_frames
from tests.interop.differential.side import Side
from tests.judges.kafka_node import HOST

TO_BROKER = 16_000
TO_BROKER_LONG = 100_000
DAMAGED_TO_BROKER = 4_000
DAMAGED_TO_BROKER_LONG = 352_000
"""Of which one in twenty is noise, and the others, a third of a million, were requests."""
TO_CONTROLLER = 4_000
TO_CONTROLLER_LONG = 50_000
SILENCE_S = 0.01
"""After this the attacker gives up on an answer: some requests wait for others to come."""
GROWTH_MIB = 150
RULING = frozenset({52, 53, 54, 62, 63, 70, 80, 81, 82})
"""APIs by which voters and brokers say who rules, and who is there: good ones change that."""
KINDS = {"broker": BROKER, "controller": CONTROLLER}

pytestmark = pytest.mark.timeout(3600)


def throw(port, frames):
    """Send each frame on a connection that lasts until it is closed; how many were answered."""
    answered = 0
    attacker = None
    for frame in frames:
        if attacker is None:
            attacker = socket.create_connection((HOST, port), 10)
            attacker.settimeout(SILENCE_S)
        try:
            attacker.sendall(with_size(frame))
            answer = attacker.recv(1 << 20)
        except (TimeoutError, ConnectionError):
            answer = b""
        answered += bool(answer)
        if not answer:
            attacker.close()
            attacker = None
    if attacker is not None:
        attacker.close()
    return answered


def target_id(port):
    """Make the topic that the attackers know; its id."""
    side = Side("the node", port)
    create_topic(side, TARGET)
    asked = MetadataRequest(topics=[MetadataRequest.MetadataRequestTopic(name=TARGET)])
    topic_id = side.ask(asked, 12).topics[0].topic_id
    side.close()
    return topic_id


def test_no_frame_harms_a_broker(tmp_path, seed, volume):
    print(f"seed {seed}")
    count = volume(TO_BROKER, TO_BROKER_LONG)
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node:
        drawer = Drawer(SeededRandom(seed), target_id(node.client_port))
        answered = throw(node.client_port, islice(drawer.frames(BROKER), count))
    assert answered > count // 10, "too little got beyond the first look"


def test_no_damaged_request_harms_a_broker(tmp_path, seed, volume):
    print(f"seed {seed}")
    count = volume(DAMAGED_TO_BROKER, DAMAGED_TO_BROKER_LONG)
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node:
        drawer = Drawer(SeededRandom(seed), target_id(node.client_port))
        frames = drawer.frames(BROKER, mutated_share=1.0)
        answered = throw(node.client_port, islice(frames, count))
    assert answered > count // 20, "too little got beyond the first look"


def test_no_frame_harms_a_controller(tmp_path, seed, volume):
    print(f"seed {seed}")
    count = volume(TO_CONTROLLER, TO_CONTROLLER_LONG)
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node:
        drawer = Drawer(SeededRandom(seed), target_id(node.client_port))
        frames = drawer.frames(CONTROLLER, LEFT_ALONE | RULING)
        answered = throw(node.controller_port, islice(frames, count))
    assert answered > count // 10, "too little got beyond the first look"


@pytest.mark.long
def test_no_empty_doubled_or_extreme_request_harms_a_node(tmp_path):
    frames = {kind: list(hollow_frames(apis, LEFT_ALONE | RULING)) for kind, apis in KINDS.items()}
    with attacked(tmp_path, growth_mib=GROWTH_MIB) as node:
        target_id(node.client_port)
        answered = throw(node.client_port, frames["broker"])
        answered += throw(node.controller_port, frames["controller"])
    sent = sum(map(len, frames.values()))
    assert sent > 100 * len(SHAPES)
    assert answered > sent // 5, "too little got beyond the first look"
