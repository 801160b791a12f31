"""Which APIs have a reader of bytes beside that of messages, and in which versions.

A fast reader takes requests in their commonest shape, as clients send them all the time, and makes
of their bytes what the handler would make of the message: the same type, which goes the same way
from there. Whatever is out of the ordinary it leaves to the message's decoder and to the handler,
before anything has changed. It is bounded by versions above and below: a new version goes by its
message until its shape was reviewed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import FastReader
from moldau.protocol.messages.api_key import ApiKey

__all__ = ["VERSIONS", "fast_reader_of"]

VERSIONS: Final[Mapping[int, range]] = {
    ApiKey.PRODUCE: range(9, 14),
    ApiKey.FETCH: range(12, 19),
    ApiKey.METADATA: range(9, 14),
    ApiKey.OFFSET_COMMIT: range(9, 11),
}
"""What is read. Below, nothing is compact, and clients are old and few."""


def fast_reader_of(api_key: int, version: int, broker: Broker) -> FastReader | None:
    """That of this API and version, if there is one; imported by the first request for it."""
    if version not in VERSIONS.get(api_key, ()):
        return None
    if api_key == ApiKey.PRODUCE:
        from moldau.broker.server.produce.reader import ProduceReader

        return ProduceReader(broker, version)
    if api_key == ApiKey.FETCH:
        from moldau.broker.server.fetch.reader import FetchReader

        return FetchReader(version)
    if api_key == ApiKey.METADATA:
        from moldau.broker.server.topic.metadata_reader import MetadataReader

        return MetadataReader(broker, version)
    from moldau.broker.server.group.offset_commit_reader import OffsetCommitReader

    return OffsetCommitReader(broker, version)
