"""A broker without a world behind it, and requests as frames for it."""

from __future__ import annotations

from struct import pack
from types import SimpleNamespace
from typing import Any

from moldau.broker.metadata.features import FEATURES, METADATA_VERSION, METADATA_VERSION_LATEST
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.settings import Features
from moldau.broker.server.broker import Broker, BrokerWorld, ClusterParts
from moldau.broker.server.call import ANONYMOUS, Call, Slices
from moldau.broker.server.fetch.sessions import FetchSessions
from moldau.broker.server.slices import run_slice
from moldau.broker.server.spliced import SplicedAnswer
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.frame import request_header_version, response_header_version
from moldau.protocol.wire.schema import Message

HERE = Address("client", 4711)
STABLE = {
    "node_id": 1,
    "controller_listener_names": ("CONTROLLER",),
    "given": frozenset[str](),
    "unstable_api_versions_enable": False,
    "unstable_feature_versions_enable": False,
    "transaction_two_phase_commit_enable": False,
}


class KnownMetadata:
    """An image that a test made, and a controller that answers from a list."""

    def __init__(self, image=EMPTY_IMAGE, answers=()):
        self.image = image
        self.leader_id = 1
        self.asked = []
        self.calls = []
        self._answers = list(answers)

    async def ask(self, request, call):
        """The next answer; the request may have to reach another node in the call's version."""
        if call is not None and isinstance(request, Message):
            encode(request, call.version)
        self.asked.append(request)
        self.calls.append(call)
        return self._answers.pop(0)

    async def answer(self, request, version):
        return await self.ask(request, None)


def production_features() -> Features:
    """What a cluster has that was formatted without any wish."""
    levels = {name: feature.defaults for name, feature in FEATURES.items()}
    finalized = {name: max(defaults) for name, defaults in levels.items() if name[0] != "k"}
    return Features({**finalized, METADATA_VERSION: METADATA_VERSION_LATEST})


def broker_with(image=None, answers=(), tasks=None, **settings):
    """A broker whose parts answer from memory."""
    known = KnownMetadata(image or Image(offset=10, features=production_features()), answers)
    absent: Any = None
    known_settings: Any = SimpleNamespace(**{**STABLE, **settings})
    return Broker(
        known_settings,
        "a cluster",
        BrokerWorld(SimulatedClock(), SeededRandom(1), tasks),
        ClusterParts(known, absent, absent),
        absent,
        FetchSessions(SimulatedClock(), SeededRandom(2)),
    )


def call_of(request, version, listener="PLAINTEXT"):
    """The call that a dispatcher would make of it."""
    return Call(request.KEY, version, 7, "a client", request, ANONYMOUS, listener, HERE, 1, 0)


def frame_of(request, version, *, client_id="a client", correlation_id=7, says_version=None):
    """The request as it comes from a socket, without its size."""
    header = RequestHeader(
        request_api_key=request.KEY,
        request_api_version=version if says_version is None else says_version,
        correlation_id=correlation_id,
        client_id=client_id,
    )
    header_version = request_header_version(type(request), version)
    return encode(header, header_version) + encode(request, version)


def answers_in(received, api_key, *versions):
    """Correlation ids and responses in what a client has received, one for each version."""
    found = []
    for version in versions:
        size = int.from_bytes(received[:4], "big")
        frame, received = bytes(received[4 : size + 4]), received[size + 4 :]
        response = BY_KEY[api_key].response
        body = frame[4 + response_header_version(response, version) :]
        found.append((int.from_bytes(frame[:4], "big"), decode(response, version, body)))
    assert not received, f"{len(received)} bytes too many"
    return found


def outcome(broker, answer, version):
    """What a handler answers in the end, as its client reads it."""
    if isinstance(answer, Slices):
        _, answer = run_slice(broker.clock, answer)
    if isinstance(answer, SplicedAnswer):
        return decode(type(answer.message), version, answer.encode())
    return answer


def sized(frame):
    return pack(">i", len(frame)) + frame
