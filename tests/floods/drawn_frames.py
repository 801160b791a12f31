"""Requests as an attacker draws them: well-formed ones in words that the node knows, damaged ones.

A drawn request names topics, groups and settings that are there as often as not, so that it gets
beyond the first look-up. Its numbers of partitions stay small: making ten thousand logs when asked
to is no defect. Frames are whole: a request's header, its body, and the spans of both, so that
`mutations` can lie about every length in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from struct import pack
from typing import Any

from moldau.broker.server.apis import versions_of
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.index import APIS
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.checksum import crc32c
from moldau.protocol.wire.fields import fields_of
from moldau.protocol.wire.frame import request_header_version
from moldau.protocol.wire.schema import Struct
from moldau.protocol.wire.types import Array, Primitive, WireType
from tests.protocol.messages.mutations import Encoded, mutate
from tests.protocol.messages.plain_encoder import Span, encode_plainly
from tests.protocol.messages.random_messages import Pair, random_message

TARGET = "target"
"""A topic, a group, a transactional id and a member that attackers go for."""
WORDS = (
    TARGET, TARGET, TARGET, "", "1", "consumer", "range", "uniform", "share", "stream",
    "__consumer_offsets", "__transaction_state", "__share_group_state", "__cluster_metadata",
    "retention.ms", "cleanup.policy", "log.retention.ms", "share.auto.offset.reset",
    "metadata.version", "kafka.raft", "User:a", "*", "client-id", "user", "consumer_byte_rate",
    "a.*", "(", "\x00", "SCRAM-SHA-256", "PLAIN",
)  # fmt: skip
SMALL = (-1, 0, 1, 2)
INTEGERS = ("int8", "int16", "int32", "int64")
COUNTS = frozenset({"num_partitions", "count", "replication_factor"})
PATIENCE = frozenset({"max_wait_ms", "timeout_ms"})
"""Fields that hold a connection up, which is no promise of this test."""
PATIENCE_MS = 5
CHECKSUM_AT = 17
"""In a batch; it covers all behind itself."""
MUTATED_SHARE = 0.65
RANDOM_SHARE = 0.05
KEPT_SHARE = 0.4
"""Of the values that chance gave."""
LEFT_ALONE = frozenset({64})
"""UnregisterBroker: a good one takes the node out of its cluster, as it should."""


def with_size(frame: bytes) -> bytes:
    return pack(">i", len(frame)) + frame


class Drawer:
    """Draws frames without end from one seeded source."""

    def __init__(self, random: SeededRandom, topic_id: bytes = bytes(16)) -> None:
        self._random = random
        self._topic_id = topic_id

    def frames(
        self,
        apis: Mapping[int, str],
        left_alone: frozenset[int] = LEFT_ALONE,
        mutated_share: float = MUTATED_SHARE,
    ) -> Iterator[bytes]:
        """Frames for these APIs, without their sizes; a few are noise, so many are damaged."""
        random = self._random
        pairs = [
            Pair(api.request, version)
            for api in APIS
            if api.key in apis and api.key not in left_alone
            for version in versions_of(api.key)
        ]
        other = Encoded(b"", [])
        while True:
            good = self.frame_of(random.choice(pairs))
            draw = random.random()
            if draw < RANDOM_SHARE:
                yield random.randbytes(random.randrange(64))
            else:
                yield mutate(random, good, other) if draw < mutated_share else good.data
            other = good

    def frame_of(self, pair: Pair) -> Encoded:
        """Header and body of a good request, and what lies where."""
        cls: Any = pair.message
        message = random_message(self._random, pair)
        self._speak(message)
        header = RequestHeader(
            request_api_key=cls.KEY,
            request_api_version=pair.version,
            correlation_id=self._random.getrandbits(31),
            client_id=self._random.choice(WORDS),
        )
        head, head_spans = encode_plainly(header, request_header_version(cls, pair.version))
        body, body_spans = encode_plainly(message, pair.version)
        moved = [Span(s.start + len(head), s.end + len(head), s.form) for s in body_spans]
        return Encoded(head + body, head_spans + moved)

    def _speak(self, struct: Struct) -> None:
        """Put words and numbers that mean something here in place of some that do not."""
        for field in fields_of(type(struct)):
            value = getattr(struct, field.name)
            if isinstance(value, Struct):
                self._speak(value)
            elif isinstance(field.type, Array):
                for index, element in enumerate(value or ()):
                    if isinstance(element, Struct):
                        self._speak(element)
                    else:
                        value[index] = self._word(field.type.of, field.name, element)
            else:
                setattr(struct, field.name, self._word(field.type, field.name, value))

    def _word(self, wire_type: WireType, name: str, value: Any) -> Any:
        if not isinstance(wire_type, Primitive) or value is None:
            return value
        if name in PATIENCE:
            return PATIENCE_MS
        if name in COUNTS:
            return self._random.choice(SMALL)
        if wire_type.name == "records":
            return self._batch()
        if self._random.random() < KEPT_SHARE:
            return value
        if wire_type.name == "uuid":
            return self._topic_id
        if wire_type.name == "string":
            return self._random.choice(WORDS)
        return self._random.choice(SMALL) if wire_type.name in INTEGERS else value

    def _batch(self) -> bytes:
        """Records, mostly damaged; often with a checksum that is right for the damage."""
        random = self._random
        producer_id = random.choice(SMALL)
        fields = BatchFields(
            producer_id=producer_id,
            producer_epoch=random.choice(SMALL),
            base_sequence=random.choice(SMALL),
            is_transactional=producer_id >= 0 and random.random() < 0.3,
        )
        builder = BatchBuilder(fields)
        for index in range(random.randrange(1, 4)):
            builder.append(index, random.randbytes(random.randrange(4)), random.randbytes(9))
        batch = bytearray(builder.build())
        for _ in range(random.randrange(4)):
            batch[random.randrange(len(batch))] ^= 1 << random.randrange(8)
        if random.random() < 0.7:
            after = CHECKSUM_AT + 4
            batch[CHECKSUM_AT:after] = pack(">I", crc32c(bytes(batch[after:])))
        return bytes(batch)
