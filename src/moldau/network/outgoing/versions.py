"""Which version of a request to use: the newest that both sides know (KIP-35, KIP-511).

The first request on a connection asks for the broker's versions. A broker that does not know this
very request's version answers in version 0 with UNSUPPORTED_VERSION and, since Kafka 2.4, with
the versions it would understand; then it is asked once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.errors import KafkaError
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.interpret import decode_seldom
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.versions import Versions

__all__ = [
    "Spoken",
    "TryAgain",
    "choose_version",
    "newest_shared",
    "read_versions",
    "versions_request",
]

SOFTWARE_NAME = "moldau"
SOFTWARE_VERSION = "0.1.0"

Spoken = Mapping[int, Versions]
"""What a node understands, by API key."""


class TryAgain(NamedTuple):
    """The node answers ApiVersions in this version only."""

    version: int


def versions_request() -> ApiVersionsRequest:
    return ApiVersionsRequest(
        client_software_name=SOFTWARE_NAME, client_software_version=SOFTWARE_VERSION
    )


def read_versions(body: Buffer, version: int) -> Spoken | TryAgain:
    """What the answer to a request in `version` holds."""
    if (code := _code(body)) is ErrorCode.UNSUPPORTED_VERSION:
        known = _ranges(decode_seldom(ApiVersionsResponse, 0, body)).get(ApiVersionsRequest.KEY)
        highest = 0 if known is None else min(known.high, version - 1)
        if version == 0:
            raise KafkaError(code, "it understands no version of ApiVersions, not even 0")
        return TryAgain(max(highest, 0))
    if code is not ErrorCode.NONE:
        raise KafkaError(code, f"ApiVersions: {code.name}, {code.message}")
    return _ranges(decode_seldom(ApiVersionsResponse, version, body))


def newest_shared(ours: Versions, theirs: Versions | None) -> int | None:
    """The newest version in both, if there is any."""
    both = None if theirs is None else theirs.within(ours)
    return None if both is None or both.low > both.high else both.high


def choose_version(request: type[Message], spoken: Spoken) -> int:
    """The newest version in common, or `KafkaError` with UNSUPPORTED_VERSION."""
    theirs = spoken.get(request.KEY)
    version = newest_shared(request.VERSIONS, theirs)
    if version is None:
        has = "does not have it" if theirs is None else f"has versions {theirs}"
        text = f"{request.__name__} is known here in {request.VERSIONS}, and the other node {has}"
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)
    return version


def _code(body: Buffer) -> ErrorCode:
    return ErrorCode.read(int.from_bytes(bytes(body[:2]), "big", signed=True))


def _ranges(answer: ApiVersionsResponse) -> dict[int, Versions]:
    return {row.api_key: Versions(row.min_version, row.max_version) for row in answer.api_keys}
