"""Credentials of users who log in by SCRAM: the password itself never leaves the client."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import Mechanism
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import ToController
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import refusal
from moldau.network.sasl.scram_keys import ITERATIONS, ScramMechanism, salt_password
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.security.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
)
from moldau.protocol.messages.security.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "ScramDeletion",
    "ScramInfo",
    "ScramUpsertion",
    "alter_user_scram_credentials",
    "describe_user_scram_credentials",
]

SALT_BYTES = 32
HASHES = {Mechanism.SCRAM_SHA_256: ScramMechanism.SHA_256}
Deletion = AlterUserScramCredentialsRequest.ScramCredentialDeletion
Upsertion = AlterUserScramCredentialsRequest.ScramCredentialUpsertion


@dataclass(frozen=True, slots=True)
class ScramInfo:
    """What may be known of a credential."""

    mechanism: Mechanism
    iterations: int


@dataclass(frozen=True, slots=True)
class ScramUpsertion:
    """A user gets this password."""

    user: str
    password: str
    mechanism: Mechanism = Mechanism.SCRAM_SHA_512
    iterations: int = ITERATIONS
    salt: bytes | None = None
    """None: drawn."""

    def __repr__(self) -> str:
        return f"ScramUpsertion({self.user!r}, {self.mechanism.name}, {self.iterations})"


@dataclass(frozen=True, slots=True)
class ScramDeletion:
    """A user loses a credential."""

    user: str
    mechanism: Mechanism = Mechanism.SCRAM_SHA_512


ScramChange: TypeAlias = ScramUpsertion | ScramDeletion
Infos: TypeAlias = tuple[ScramInfo, ...]


@declared
def describe_user_scram_credentials(
    call: AdminCall, users: Iterable[str] | None = None
) -> Dialogue[Outcomes[str, Infos]]:
    """By user; None asks for all that have any."""
    wanted = None if users is None else list(users)
    asked = DescribeUserScramCredentialsRequest.UserName

    def read(
        answer: DescribeUserScramCredentialsResponse, keys: Sequence[None]
    ) -> Iterator[tuple[None, DescribeUserScramCredentialsResponse | Failure]]:
        yield None, failure_or(answer.error_code, answer.error_message, answer)

    plan = Plan(
        what="describing credentials",
        route=ToController[None](),
        request=lambda keys: DescribeUserScramCredentialsRequest(
            users=None if wanted is None else [asked(name=name) for name in wanted]
        ),
        read=read,
        noun=lambda key: "credentials",
    )
    answer = yield from fulfil_one(call, plan)
    outcomes: Outcomes[str, Infos] = Outcomes()
    for row in answer.results:
        if row.error_code:
            code = ErrorCode.read(row.error_code)
            outcomes.errors[row.user] = refusal(f"user {row.user}", code, row.error_message)
            continue
        outcomes.values[row.user] = tuple(
            ScramInfo(Mechanism(info.mechanism), info.iterations) for info in row.credential_infos
        )
    return outcomes


@declared
def alter_user_scram_credentials(
    call: AdminCall, changes: Iterable[ScramChange]
) -> Dialogue[Outcomes[str, None]]:
    """By user: all changes of one are made, or none."""
    wanted = list(changes)
    random = call.context.random

    def request(users: Sequence[str]) -> AlterUserScramCredentialsRequest:
        mine = [change for change in wanted if change.user in users]
        return AlterUserScramCredentialsRequest(
            deletions=[
                Deletion(name=change.user, mechanism=change.mechanism)
                for change in mine
                if isinstance(change, ScramDeletion)
            ],
            upsertions=[
                _upsertion(change, random) for change in mine if isinstance(change, ScramUpsertion)
            ],
        )

    plan = Plan(
        what="changing credentials",
        route=ToController[str](),
        request=request,
        read=_altered,
        noun=lambda user: f"user {user}",
    )
    return fulfil(call, plan, [change.user for change in wanted])


def _upsertion(change: ScramUpsertion, random: Random) -> Upsertion:
    salt = random.randbytes(SALT_BYTES) if change.salt is None else change.salt
    hashed = HASHES.get(change.mechanism, ScramMechanism.SHA_512)
    return Upsertion(
        name=change.user,
        mechanism=change.mechanism,
        iterations=change.iterations,
        salt=salt,
        salted_password=salt_password(hashed, change.password, salt, change.iterations),
    )


def _altered(
    answer: AlterUserScramCredentialsResponse, users: Sequence[str]
) -> Iterator[tuple[str, Failure | None]]:
    for row in answer.results:
        yield row.user, failure_or(row.error_code, row.error_message, None)
