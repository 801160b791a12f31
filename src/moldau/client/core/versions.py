"""Which version of a request to use: the newest that both sides know (KIP-35, KIP-511).

The first request on a connection asks for the broker's versions. A broker that does not know this
very request's version answers in version 0 with UNSUPPORTED_VERSION and, since Kafka 2.4, with
the versions it would understand; then it is asked once more.

Below the versions in `LEAST` requests look different in ways that this client does not write. All
are older than Kafka 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.client.errors import RefusedError, UnsupportedVersionError
from moldau.platform.buffers import Buffer
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.versions import Versions

__all__ = ["LEAST", "Spoken", "TryAgain", "choose_version", "read_versions", "versions_request"]

LEAST = {
    "FetchRequest": 13,  # topic ids
    "MetadataRequest": 10,  # topic ids
    "ListOffsetsRequest": 4,  # leader epochs
    "FindCoordinatorRequest": 4,  # several keys
    "OffsetFetchRequest": 8,  # several groups
    "OffsetCommitRequest": 8,
}
SOFTWARE_NAME = "moldau"
SOFTWARE_VERSION = "0.1.0"

Spoken = Mapping[int, Versions]
"""What a broker understands, by API key."""


class TryAgain(NamedTuple):
    """The broker wants to be asked for its versions in this version."""

    version: int


def versions_request() -> ApiVersionsRequest:
    return ApiVersionsRequest(
        client_software_name=SOFTWARE_NAME, client_software_version=SOFTWARE_VERSION
    )


def read_versions(body: Buffer, version: int) -> Spoken | TryAgain:
    """What the answer to a question in `version` says."""
    if _code(body) is ErrorCode.UNSUPPORTED_VERSION:
        known = _ranges(decode(ApiVersionsResponse, 0, body)).get(ApiVersionsRequest.KEY)
        highest = 0 if known is None else min(known.high, version - 1)
        if version == 0:
            raise RefusedError("ApiVersions 0", ErrorCode.UNSUPPORTED_VERSION)
        return TryAgain(max(highest, 0))
    if (code := _code(body)) is not ErrorCode.NONE:
        raise RefusedError("ApiVersions", code)
    return _ranges(decode(ApiVersionsResponse, version, body))


def choose_version(request: type[Message], spoken: Spoken) -> int:
    """The newest version in common, or `UnsupportedVersionError`."""
    ours = request.VERSIONS
    ours = Versions(max(ours.low, LEAST.get(request.__name__, 0)), ours.high)
    theirs = spoken.get(request.KEY)
    both = None if theirs is None else theirs.within(ours)
    if both is None or both.low > both.high:
        has = "does not have it" if theirs is None else f"has versions {theirs}"
        raise UnsupportedVersionError(
            f"{request.__name__} is needed in versions {ours} and the broker {has}: "
            "this client works with Apache Kafka 3.1 and later"
        )
    return both.high


def _code(body: Buffer) -> ErrorCode:
    return ErrorCode.read(int.from_bytes(bytes(body[:2]), "big", signed=True))


def _ranges(answer: ApiVersionsResponse) -> dict[int, Versions]:
    return {row.api_key: Versions(row.min_version, row.max_version) for row in answer.api_keys}
