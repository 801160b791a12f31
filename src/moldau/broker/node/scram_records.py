"""The users that a cluster has from its first moment, as records of its metadata."""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.node.format_error import FormatError
from moldau.broker.security.scram import parse_credential
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.stored.metadata_security import UserScramCredentialRecord
from moldau.protocol.wire.schema import Message

__all__ = ["scram_records"]


def scram_records(texts: Iterable[str], random: Random) -> list[Message]:
    """One for each user and mechanism, from what `--add-scram` was given."""
    records: dict[tuple[str, int], Message] = {}
    for text in texts:
        user, credential = parse_credential(text, random)
        key = user, credential.mechanism.number
        if key in records:
            raise FormatError(
                f"user {user} has two credentials for {credential.mechanism.sasl_name}"
            )
        records[key] = UserScramCredentialRecord(
            name=user,
            mechanism=credential.mechanism.number,
            salt=credential.salt,
            stored_key=credential.stored_key,
            server_key=credential.server_key,
            iterations=credential.iterations,
        )
    return list(records.values())
