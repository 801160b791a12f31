"""Logins whose frames are spoiled by chance: only who proves the password gets in.

A client is honest, and what it sends is changed on its way: bits are flipped, frames are cut, grow,
come twice, or come from an earlier login. Whatever that makes of it, it is answered or closed, no
code of ours fails, and a principal is there only where the tokens that were taken are a proof.
"""

from __future__ import annotations

from base64 import b64decode
from types import SimpleNamespace
from typing import Any, cast

import pytest

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.security import Scram, ScramCredential
from moldau.broker.server.login.listener import SaslListener
from moldau.broker.server.login.login import Login
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import DecodeError
from moldau.network.principal import ANONYMOUS
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.plain import ask_plain
from moldau.network.sasl.scram import Decoys, ask_scram
from moldau.network.sasl.scram_keys import ScramMechanism, credential_of, salt_password
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.headers import ResponseHeader
from moldau.protocol.messages.security.sasl_authenticate import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
)
from moldau.protocol.messages.security.sasl_handshake import SaslHandshakeRequest
from moldau.protocol.wire.compile import decode_prefix
from tests.broker.server.asking import broker_with, frame_of
from tests.broker.server.login.dialogue import SETTINGS

LOGINS = 300
LOGINS_LONG = 1_000_000
SCRAMS = 0.1
"""Of all: its salted password takes most of the time."""
SPOILED = 0.4
"""Of all frames."""
ANSWER_BYTES_MAX = 2_000
MECHANISM = ScramMechanism.SHA_256
SCRAM_TOKENS = 2
SALT, ITERATIONS = b"a grain of salt", 4096
VERSIONS = ApiVersionsRequest(client_software_name="a", client_software_version="1")


class Connection:
    """A connection that keeps what it is given."""

    def __init__(self) -> None:
        self.principal = ANONYMOUS
        self.listener, self.peer = "PLAINTEXT", Address("client", 1)
        self.answers: list[bytes] = []
        self.is_over = False

    def reply(self, *parts: bytes) -> None:
        self.answers.append(b"".join(parts))

    def abort(self) -> None:
        self.is_over = True

    end = abort


class Taken:
    """A dialogue that notes the tokens which it takes."""

    def __init__(self, dialogue: Any, tokens: list[bytes]) -> None:
        self._dialogue = dialogue
        self._tokens = tokens

    def send(self, token: bytes) -> bytes:
        self._tokens.append(token)
        answer: bytes = self._dialogue.send(token)
        return answer


class Listener:
    """A listener, and what every login takes."""

    def __init__(self, seed: int) -> None:
        self.random = SeededRandom(seed)
        salted = salt_password(MECHANISM, "wonder", SALT, ITERATIONS)
        found = credential_of(MECHANISM, salted, SALT, ITERATIONS)
        stored = ScramCredential(found.salt, found.stored_key, found.server_key, ITERATIONS)
        image = Image(scram=Scram({(MECHANISM.number, "alice"): stored}))
        later = SimpleNamespace(after=lambda _, action: action())
        self.broker = broker_with(image, tasks=later)
        self.broker.settings = BrokerSettings(SETTINGS)
        no_kerberos = cast(Any, SimpleNamespace(kerberos=None))
        self.listener = SaslListener(
            "PLAINTEXT", self.broker.settings, self.broker, Decoys(self.random), no_kerberos
        )
        self.earlier: list[bytes] = [frame_of(VERSIONS, 3)]

    def spoiled(self, frame: bytes) -> list[bytes]:
        """What arrives in its place."""
        random = self.random
        where = random.randrange(0, len(frame))
        match random.randrange(0, 6):
            case 0:
                return [frame[:where]]
            case 1:
                return [frame + random.randbytes(random.randrange(1, 20))]
            case 2:
                return [frame, frame]
            case 3:
                return [random.choice(self.earlier)]
            case 4:
                return [random.choice(self.earlier), frame]
            case _:
                flipped = bytearray(frame)
                flipped[where] ^= 1 << random.randrange(0, 8)
                return [bytes(flipped)]


class Attempt:
    """One client that wants to log in."""

    def __init__(self, town: Listener) -> None:
        self.town = town
        self.connection = Connection()
        self.tokens: list[bytes] = []
        self.honest: list[bytes] = []
        self.name: str | None = None
        self.is_scram = town.random.random() < SCRAMS
        listener = cast(Any, SimpleNamespace(**vars(town.listener), prepare=town.listener.prepare))
        listener.serve = lambda name: Taken(town.listener.serve(name), self.tokens)
        self.login = Login(
            cast(Any, self.connection), listener, town.broker, lambda *_: None, self._logged_in
        )

    def _logged_in(self, login: Login, identity: Any) -> None:
        self.name = identity.name

    def run(self) -> None:
        name = MECHANISM.sasl_name if self.is_scram else "PLAIN"
        if self.town.random.random() < 0.5:
            self.send(frame_of(VERSIONS, 3))
        self.send(frame_of(SaslHandshakeRequest(mechanism=name), self.town.random.choice((0, 1))))
        asking = (
            ask_scram(MECHANISM, "alice", "wonder", self.town.random)
            if self.is_scram
            else ask_plain("alice", "wonder")
        )
        try:
            token = next(asking)
            while not self.is_over:
                self.honest.append(token)
                self.send(frame_of(SaslAuthenticateRequest(auth_bytes=token), 2))
                token = asking.send(self.challenge())
        except (StopIteration, SaslError):
            pass

    @property
    def is_over(self) -> bool:
        return self.connection.is_over or self.name is not None

    def send(self, frame: bytes) -> None:
        town = self.town
        frames = town.spoiled(frame) if town.random.random() < SPOILED else [frame]
        town.earlier[len(town.earlier) % 50 :] = [frame]
        for one in frames:
            if not self.is_over:
                self.login.handle(cast(Any, self.connection), memoryview(one))

    def challenge(self) -> bytes:
        """What the server's last answer holds, where it is one to a token."""
        try:
            answer = self.connection.answers[-1][4:]
            _, position = decode_prefix(ResponseHeader, 1, answer)
            read = decode_prefix(SaslAuthenticateResponse, 2, answer[position:])[0]
        except (DecodeError, IndexError) as error:
            raise SaslError(str(error)) from None
        return bytes(read.auth_bytes)

    def is_proven(self) -> bool:
        """Whether the tokens that were taken are those of who knows the password."""
        if self.login.mechanism == "PLAIN":
            return self.tokens[-1] in (b"\0alice\0wonder", b"alice\0alice\0wonder")
        return len(self.honest) == SCRAM_TOKENS and proof(self.tokens) == proof(self.honest)


def proof(tokens: list[bytes]) -> tuple[bytes, ...]:
    """Of SCRAM: all that the proof is about, and the proof."""
    first, final = tokens[-2:]
    proved, _, shown = final.partition(b",p=")
    return first.split(b",", 2)[2], proved, b64decode(shown.partition(b",")[0])


@pytest.mark.timeout(3600)
def test_only_a_proof_is_a_login(seed, volume):
    town = Listener(seed)
    got_in = 0
    for number in range(volume(LOGINS, LOGINS_LONG)):
        attempt = Attempt(town)
        attempt.run()
        assert attempt.name in (None, "alice"), number
        assert all(len(answer) < ANSWER_BYTES_MAX for answer in attempt.connection.answers)
        if attempt.name is not None:
            got_in += 1
            assert attempt.is_proven(), f"login {number}: {attempt.tokens}"
    assert got_in


@pytest.mark.parametrize("flip", range(8))
def test_a_changed_proof_is_none(flip):
    """The check above would notice a server that looks at less."""
    first, final = b"n,,n=alice,r=abc", b"c=biws,r=abcdef,p=AAAA"
    changed = bytearray(final)
    changed[5] ^= 1 << flip
    assert proof([first, final]) != proof([first, bytes(changed)])
