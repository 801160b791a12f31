"""One number for the topics that a group reads: it changes when one of them does.

Group coordinators keep it in the group's record, so that a new owner of the group sees whether the
topics are still as they were when the assignment was made. What counts is each topic's id, name and
partitions, and the racks of their replicas. Topics that are not there do not count.

A topic's hash is that of these values, one after the other, all little-endian: a zero byte, both
halves of the id, the name, the count of partitions; then for each partition its index and the
sorted racks of its replicas, each behind its length. Text is its UTF-16 units followed by their
count. The hash of a group is that of its topics' hashes in the order of their names.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from struct import Struct

from moldau.broker.coordinator.xxh3 import xxh3_64
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import PartitionState, TopicState

_LAYOUT = b"\0"
_ID_HALVES = Struct(">QQ")
_INT32 = Struct("<i")
_WORD = Struct("<Q")
_SIGN = 1 << 63

TopicHashes = MutableMapping[str, int]
"""Hashes that are known already, by topic; the owner removes the topics that change."""


def group_hash(topics: Iterable[str], image: Image, known: TopicHashes) -> int:
    """The hash of these topics as they are now, a signed int64; 0 where none of them exists."""
    by_name = image.topics.by_name
    present = sorted({name for name in topics if name in by_name}, key=_units_of)
    if not present:
        return 0
    return _signed(xxh3_64(b"".join(_WORD.pack(_known(name, image, known)) for name in present)))


def topic_hash(topic: TopicState, image: Image) -> int:
    """The hash of one topic, not signed."""
    high, low = _ID_HALVES.unpack(topic.topic_id)
    parts = [_LAYOUT, _WORD.pack(high), _WORD.pack(low), _text(topic.name)]
    parts.append(_INT32.pack(len(topic.partitions)))
    for index in range(len(topic.partitions)):
        parts.append(_INT32.pack(index))
        for rack in sorted(_racks(topic.partitions[index], image), key=_units_of):
            parts += [_INT32.pack(_units(rack)), _text(rack)]
    return xxh3_64(b"".join(parts))


def _known(name: str, image: Image, known: TopicHashes) -> int:
    if name not in known:
        known[name] = topic_hash(image.topics.by_name[name], image)
    return known[name]


def _racks(partition: PartitionState, image: Image) -> Iterable[str]:
    """One for each replica whose broker has one, repeated where they share it."""
    for broker_id in partition.replicas:
        broker = image.cluster.brokers.get(broker_id)
        if broker is not None and broker.rack is not None:
            yield broker.rack


def _units_of(text: str) -> bytes:
    """What Java compares when it sorts text."""
    return text.encode("utf-16-be", errors="surrogatepass")


def _text(text: str) -> bytes:
    return text.encode("utf-16-le", errors="surrogatepass") + _INT32.pack(_units(text))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


def _signed(word: int) -> int:
    return word - 2 * _SIGN if word & _SIGN else word
