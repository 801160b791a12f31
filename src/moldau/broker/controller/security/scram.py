"""SCRAM credentials are set and deleted (KIP-554).

The password never gets here: the client has salted and iterated it, and what is stored of that are
the two keys of RFC 5802 that can check a login but not make one.
"""

from __future__ import annotations

import hashlib
import hmac

from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.situation import Situation
from moldau.errors import KafkaError
from moldau.network.sasl.scram_keys import ITERATIONS, ITERATIONS_MAX
from moldau.platform.slices import each
from moldau.protocol.messages.security.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
)
from moldau.protocol.messages.stored.metadata_security import (
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

HASHES = {1: "sha256", 2: "sha512"}
"""Mechanisms, by Kafka's numbers."""

Deletion = AlterUserScramCredentialsRequest.ScramCredentialDeletion
Upsertion = AlterUserScramCredentialsRequest.ScramCredentialUpsertion
UserAnswer = AlterUserScramCredentialsResponse.AlterUserScramCredentialsResult


def alter_scram(
    request: AlterUserScramCredentialsRequest, situation: Situation, call: Call
) -> Deciding:
    """Delete and set what can be; if anything fails for a user, it stays as it was."""
    if not situation.metadata_version.has_scram:
        text = "SCRAM credentials are kept from metadata.version 3.5-IV2 on"
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)
    asked: list[Deletion | Upsertion] = [*request.deletions, *request.upsertions]
    users: dict[str, None] = {}
    failures: dict[str, KafkaError] = {}
    for change in asked:
        yield
        if change.name in failures:  # the first reason is the one that is given
            continue
        try:
            _check(change, situation, is_again=change.name in users)
        except KafkaError as error:
            failures[change.name] = error
        users[change.name] = None
    records = yield from each(_record, (one for one in asked if one.name not in failures))
    results = yield from each(lambda user: _answer(user, failures.get(user)), users)
    reply = AlterUserScramCredentialsResponse(throttle_time_ms=0, results=results)
    return Decision(records, reply)


def _check(change: Deletion | Upsertion, situation: Situation, *, is_again: bool) -> None:
    if is_again:
        text = "A user credential cannot be altered twice in the same request"
        raise KafkaError(ErrorCode.DUPLICATE_RESOURCE, text)
    if not change.name:
        raise KafkaError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Username must not be empty")
    if change.mechanism not in HASHES:
        raise KafkaError(ErrorCode.UNSUPPORTED_SASL_MECHANISM, "Unknown SCRAM mechanism")
    if isinstance(change, Deletion) and not situation.image.scram.of(change.mechanism, change.name):
        text = "Attempt to delete a user credential that does not exist"
        raise KafkaError(ErrorCode.RESOURCE_NOT_FOUND, text)
    if isinstance(change, Upsertion):
        low, high = ITERATIONS, ITERATIONS_MAX
        if not low <= change.iterations <= high:
            text = f"Too {'few' if change.iterations < low else 'many'} iterations"
            raise KafkaError(ErrorCode.UNACCEPTABLE_CREDENTIAL, text)


def _record(change: Deletion | Upsertion) -> Message:
    if isinstance(change, Deletion):
        return RemoveUserScramCredentialRecord(name=change.name, mechanism=change.mechanism)
    digest = HASHES[change.mechanism]
    client_key = hmac.digest(change.salted_password, b"Client Key", digest)
    return UserScramCredentialRecord(
        name=change.name,
        mechanism=change.mechanism,
        salt=change.salt,
        stored_key=hashlib.new(digest, client_key).digest(),
        server_key=hmac.digest(change.salted_password, b"Server Key", digest),
        iterations=change.iterations,
    )


def _answer(user: str, error: KafkaError | None) -> UserAnswer:
    code = ErrorCode.NONE if error is None else error.code
    return UserAnswer(
        user=user, error_code=code, error_message=None if error is None else error.message
    )
