"""Any bytes give a message or a DecodeError: never another exception, never endless work.

Work is counted, not timed: every line of a compiled decoder that runs counts one, and a frame may
cost no more lines than its bytes account for. Memory is `test_hostile_memory`'s part.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from moldau.errors import DecodeError, EncodeError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.schema import Message, structs_of
from moldau.protocol.wire.varint import STRING_BYTES_MAX
from tests.protocol.messages.mutations import Encoded, mutate
from tests.protocol.messages.plain_encoder import encode_plainly, plain_varint
from tests.protocol.messages.random_messages import Pair, all_pairs, random_messages

SHARDS = 12
"""Each is a test of its own, so that they spread over processes."""
MUTATED = 270_000
MUTATIONS_EACH = 12
RANDOM = 60_000
RANDOM_BYTES_MOST = 64
LINES_PER_BYTE = 8
"""Four times what was seen; a loop over an unchecked count takes far more."""

pytestmark = pytest.mark.timeout(600)


def outcome(pair: Pair, data: bytes) -> str:
    """`message` or `error`; anything else is a defect, shown with all that repeats it."""
    try:
        message = decode(pair.message, pair.version, data)
    except DecodeError:
        return "error"
    except BaseException as wrong:  # noqa: BLE001  # whatever it is, it is the finding
        pytest.fail(f"{pair.message.__name__} v{pair.version} raised {wrong!r} on {data.hex()}")
    assert type(message) is pair.message
    return "message"


def mutants(random: SeededRandom, count: int) -> Iterator[tuple[Pair, bytes]]:
    other = Encoded(b"", [])
    pairs = all_pairs()
    offset = random.randrange(len(pairs))
    wanted = count // MUTATIONS_EACH
    for index, (pair, message) in enumerate(random_messages(random, offset + wanted)):
        if index >= offset:
            good = Encoded(*encode_plainly(message, pair.version))
            yield from ((pair, mutate(random, good, other)) for _ in range(MUTATIONS_EACH))
            other = good


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_mutated_message_is_a_message_or_a_decode_error(shard, seed, volume):
    print(f"seed {seed + shard}")
    random = SeededRandom(seed + shard)
    count = volume(MUTATED, 10 * MUTATED) // SHARDS
    outcomes = Counter(outcome(pair, data) for pair, data in mutants(random, count))
    assert outcomes.total() >= count - MUTATIONS_EACH
    assert min(outcomes["message"], outcomes["error"]) > count // 20


@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_bytes_are_a_message_or_a_decode_error(shard, seed, volume):
    print(f"seed {seed + shard}")
    random = SeededRandom(seed + shard)
    pairs = all_pairs()
    for _ in range(volume(RANDOM, 10 * RANDOM) // SHARDS):
        outcome(random.choice(pairs), random.randbytes(random.randrange(RANDOM_BYTES_MOST)))


def test_the_plain_encoder_and_the_compiled_ones_agree(seed, volume):
    for pair, message in random_messages(SeededRandom(seed), volume(5_000, 100_000)):
        plain, spans = encode_plainly(message, pair.version)
        assert encode(message, pair.version) == plain, f"seed {seed}: {message} v{pair.version}"
        assert [s.start for s in spans] == [0, *(s.end for s in spans)][: len(spans)]


def test_what_is_decoded_is_encoded_and_decoded_to_the_same(seed):
    """A message that came of damaged bytes is as good as any other."""
    random = SeededRandom(seed)
    for pair, data in mutants(random, 20_000):
        try:
            message = decode(pair.message, pair.version, data)
        except DecodeError:
            continue
        if (again := encoded(message, pair.version)) is None:
            continue
        assert encode(decode(pair.message, pair.version, again), pair.version) == again


def encoded(message: Message, version: int) -> bytes | None:
    """None where malformed text, with its replacement characters, has outgrown a string."""
    try:
        return encode(message, version)
    except EncodeError:
        if "\ufffd" in repr(message):
            return None
        raise


@pytest.mark.parametrize("version", HeartbeatRequest.VERSIONS.each())
def test_no_string_is_longer_than_kafka_allows(version):
    longest = HeartbeatRequest(group_id="g" * STRING_BYTES_MAX, generation_id=1, member_id="m")
    data = encode(longest, version)
    assert decode(HeartbeatRequest, version, data) == longest
    with pytest.raises(EncodeError):
        encode(HeartbeatRequest(group_id="\u00e9" * 16384, generation_id=1, member_id="m"), version)


def test_a_longer_compact_string_is_refused_although_its_bytes_are_there():
    size = STRING_BYTES_MAX + 1
    with pytest.raises(DecodeError, match="a string of 32768 bytes"):
        decode(HeartbeatRequest, 4, plain_varint(size + 1) + b"g" * size + bytes(8))


def test_work_is_bounded_by_the_bytes_that_are_there(seed):
    random = SeededRandom(seed)
    for pair, data in mutants(random, 20_000):
        lines = lines_run(pair, data)
        most = lines_of(pair.message) + LINES_PER_BYTE * len(data)
        assert lines <= most, f"seed {seed}: {pair} took {lines} lines for {data.hex()}"


def lines_of(message: type[Message]) -> int:
    """What a decoder may do before it has read a byte: set every default of every struct."""
    return 30 + 4 * sum(len(struct.DECLARED) + 3 for struct in structs_of(message))


def lines_run(pair: Pair, data: bytes) -> int:
    """How many lines of compiled decoders ran."""
    lines = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        if not frame.f_code.co_filename.startswith("<decode"):
            return None
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        outcome(pair, data)
    finally:
        sys.settrace(before)
    return lines
