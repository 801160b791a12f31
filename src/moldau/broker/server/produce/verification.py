"""Before the first batch of a transaction on a partition its coordinator is asked (KIP-890).

A transaction that the coordinator knows nothing of would never be ended, and hang. So a client of
transactions v2 (Produce 12) has its partitions added to the transaction here, and an older one has
them verified. While the question is open the partition keeps a guard; a marker that arrives in
between takes it away, and the late batch is refused by the log. When the coordinator answers that
the transaction before is just ending, its markers are what arrives: the question is put again with
a guard from after them.

The coordinator's error goes to the producer as it is, but for troubles that only it could
understand, which become NOT_ENOUGH_REPLICAS: every client ever written sends the batch again then.
A client that commits offsets handles those, and gets them as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from struct import Struct as Packer
from typing import NamedTuple

from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.monitoring.gauges import verification_metrics
from moldau.broker.server.transaction.coordinators import Result, Transaction, ask_coordinator
from moldau.errors import KafkaError, MoldauError
from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.records.batch import HEADER_SIZE, TRANSACTIONAL_BIT
from moldau.protocol.wire.error_codes import ErrorCode

ADDS_FROM = 12
"""Produce versions whose clients leave it to the broker to add partitions."""
ABORTABLE_FROM = 11
"""Produce versions whose clients understand TRANSACTION_ABORTABLE."""
ATTRIBUTES_LOW_AT = 22
_PRODUCER = Packer(">qhi")
_PRODUCER_AT = 43
TRY_AGAIN_MS = 20
"""`add.partitions.to.txn.retry.backoff.ms`: the transaction before is usually just ending."""
TRIES_MAX = 5
"""Up to `add.partitions.to.txn.retry.backoff.max.ms` in all."""
NS_PER_US = 1000

_NOT_SENT = frozenset(
    {
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)

Name = tuple[str, int]


class OpenQuestion(NamedTuple):
    """A batch whose transaction is not verified yet."""

    partition: Partition
    producer_id: int
    producer_epoch: int
    sequence: int
    guard: VerificationGuard


@dataclass(slots=True)
class Verified:
    """What came of the questions, by topic and index."""

    guards: dict[Name, VerificationGuard] = field(default_factory=dict)
    refused: dict[Name, MoldauError] = field(default_factory=dict)


NOTHING_VERIFIED = Verified()


def is_transactional(records: object) -> bool:
    """Whether a batch is marked transactional."""
    return (
        isinstance(records, bytes | bytearray | memoryview)
        and len(records) >= HEADER_SIZE
        and bool(records[ATTRIBUTES_LOW_AT] & TRANSACTIONAL_BIT)
    )


def producer_of(records: Buffer) -> int:
    """The producer id in a batch's header."""
    producer_id: int = _PRODUCER.unpack_from(records, _PRODUCER_AT)[0]
    return producer_id


def begin_questions(
    broker: Broker, batches: Iterable[tuple[str, int, Buffer]], version: int
) -> list[OpenQuestion]:
    """Which of these transactional batches must be asked about; their partitions keep guards."""
    adds = version >= ADDS_FROM
    if not adds and not broker.settings.transaction_partition_verification_enable:
        return []
    questions = []
    for topic, index, records in batches:
        partition = broker.replicas.find(topic, index)
        if partition is None or not partition.is_leader:
            continue  # appending will say so
        producer_id, epoch, sequence = _PRODUCER.unpack_from(records, _PRODUCER_AT)
        guard = partition.log.producers.begin_verification(
            producer_id, sequence, epoch, broker.clock.now_ms(), supports_epoch_bump=adds
        )
        if guard is not None:
            questions.append(OpenQuestion(partition, producer_id, epoch, sequence, guard))
    return questions


async def ask(
    call: Call, version: int, broker: Broker, transactional_id: str, questions: list[OpenQuestion]
) -> Verified:
    """The coordinator's answers, in words that this version of Produce knows.

    Where this node runs no coordinators, nothing is verified.
    """
    verified = await ask_plainly(call, version, broker, transactional_id, questions)
    for name, error in verified.refused.items():
        verified.refused[name] = _to_send_again(name, error, version)
    return verified


async def ask_plainly(
    call: Call, version: int, broker: Broker, transactional_id: str, questions: list[OpenQuestion]
) -> Verified:
    """The same, where troubles of the coordinator itself keep their codes."""
    if broker.transactions is None:
        return Verified(_guards(questions))
    questions, codes = await _codes(call, version, broker, transactional_id, questions)
    verified = Verified(_guards(questions))
    for name in verified.guards:
        error = _refusal(name, codes.get(name, ErrorCode.UNKNOWN_SERVER_ERROR), version)
        if error is not None:
            verified.refused[name] = error
    return verified


def _guards(questions: list[OpenQuestion]) -> dict[Name, VerificationGuard]:
    return {question.partition.name: question.guard for question in questions}


async def _codes(
    call: Call, version: int, broker: Broker, transactional_id: str, questions: list[OpenQuestion]
) -> tuple[list[OpenQuestion], dict[Name, int]]:
    """Ask, and again while the transaction before is ending; the questions as they were last."""
    question = _question(transactional_id, questions, verify_only=version < ADDS_FROM)
    codes: dict[Name, int] = {}
    for _ in range(TRIES_MAX):
        codes = await _asked(call, broker, question, [one.partition.name for one in questions])
        if version < ADDS_FROM:
            break
        asked, codes_found = questions, set(codes.values())
        if ErrorCode.CONCURRENT_TRANSACTIONS in codes_found:
            await broker.tasks.sleep(TRY_AGAIN_MS)
        questions = [_put_again(broker, question) for question in asked]
        if codes_found == {ErrorCode.NONE} and _guards(questions) == _guards(asked):
            break
        if not codes_found <= {ErrorCode.NONE, ErrorCode.CONCURRENT_TRANSACTIONS}:
            break
    return questions, codes


async def _asked(
    call: Call, broker: Broker, question: Transaction, names: list[Name]
) -> dict[Name, int]:
    """One answer. A coordinator on this node raises what another broker's puts in each row."""
    began_ns = broker.clock.monotonic_ns()
    try:
        codes = _read(await ask_coordinator(call, broker, question))
    except (MoldauError, TimeoutError) as error:
        code = error.code if isinstance(error, KafkaError) else ErrorCode.NETWORK_EXCEPTION
        codes = dict.fromkeys(names, code)
    took_us = (broker.clock.monotonic_ns() - began_ns) // NS_PER_US
    times, failures = verification_metrics(broker.metrics)
    times.record(took_us)
    failures.mark(sum(code != ErrorCode.NONE for code in codes.values()))
    return codes


def _put_again(broker: Broker, question: OpenQuestion) -> OpenQuestion:
    """With the same guard, or with a new one where a marker took it away meanwhile."""
    guard = question.partition.log.producers.begin_verification(
        question.producer_id,
        question.sequence,
        question.producer_epoch,
        broker.clock.now_ms(),
        supports_epoch_bump=True,
    )
    return question if guard is None else question._replace(guard=guard)


def _question(
    transactional_id: str, questions: list[OpenQuestion], *, verify_only: bool
) -> Transaction:
    topics: dict[str, list[int]] = {}
    for question in questions:
        topics.setdefault(question.partition.topic, []).append(question.partition.index)
    return Transaction(
        transactional_id=transactional_id,
        producer_id=questions[0].producer_id,
        producer_epoch=questions[0].producer_epoch,
        verify_only=verify_only,
        topics=[
            AddPartitionsToTxnRequest.AddPartitionsToTxnTopic(name=name, partitions=indexes)
            for name, indexes in topics.items()
        ],
    )


def _read(result: Result) -> dict[Name, int]:
    return {
        (topic.name, one.partition_index): one.partition_error_code
        for topic in result.topic_results
        for one in topic.results_by_partition
    }


def _refusal(name: Name, code: int, version: int) -> KafkaError | None:
    """The client's error, in codes that its version has."""
    if code == ErrorCode.NONE:
        return None
    if code == ErrorCode.PRODUCER_FENCED:
        code = ErrorCode.INVALID_PRODUCER_EPOCH  # which is what producers of records know
    if code == ErrorCode.TRANSACTION_ABORTABLE and version < ABORTABLE_FROM:
        code = ErrorCode.INVALID_TXN_STATE
    return KafkaError(code, f"{name[0]}-{name[1]}: {ErrorCode.read(code).message}")


def _to_send_again(name: Name, error: MoldauError, version: int) -> MoldauError:
    """What only a coordinator's own client would understand, as every producer does."""
    code = code_of(error)
    is_ending = code == ErrorCode.CONCURRENT_TRANSACTIONS and version < ADDS_FROM
    if code not in _NOT_SENT and not is_ending:
        return error
    return KafkaError(
        ErrorCode.NOT_ENOUGH_REPLICAS,
        f"{name[0]}-{name[1]}: its transaction could not be verified just now; "
        "send the batch again",
    )
