"""The versions of requests that this client writes, and which of them a broker understands.

Below the versions in `LEAST` requests look different in ways that this client does not write. All
are older than Kafka 3.1.
"""

from __future__ import annotations

from moldau.client.errors import UnsupportedVersionError
from moldau.network.outgoing.versions import Spoken, newest_shared
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.versions import Versions

__all__ = ["LEAST", "choose_version"]

LEAST = {
    "FetchRequest": 13,  # topic ids
    "MetadataRequest": 10,  # topic ids
    "ListOffsetsRequest": 4,  # leader epochs
    "FindCoordinatorRequest": 4,  # several keys
    "OffsetFetchRequest": 8,  # several groups
    "OffsetCommitRequest": 8,
}


def choose_version(
    request: type[Message], spoken: Spoken, newest: int | None = None, oldest: int = 0
) -> int:
    """The newest version in common from `oldest` up to `newest`, or `UnsupportedVersionError`."""
    ours = request.VERSIONS
    high = ours.high if newest is None else min(ours.high, newest)
    ours = Versions(max(ours.low, LEAST.get(request.__name__, 0), oldest), high)
    theirs = spoken.get(request.KEY)
    version = newest_shared(ours, theirs)
    if version is None:
        raise UnsupportedVersionError(_lack(request, ours, theirs))
    return version


def _lack(request: type[Message], ours: Versions, theirs: Versions | None) -> str:
    """A broker without the request may serve all that older ones do, as this client asks it."""
    if theirs is None and request.__name__ not in LEAST:
        return (
            f"{request.__name__} is needed and the broker does not have it: its version of Kafka "
            "is from before this call, or does not serve it"
        )
    has = "does not have it" if theirs is None else f"has versions {theirs}"
    return (
        f"{request.__name__} is needed in versions {ours} and the broker {has}: "
        "this client works with Apache Kafka 3.1 and later"
    )
