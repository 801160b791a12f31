"""What a producer asks coordinators: who it is, and for each step of a transaction.

These are the steps of KIP-98, which every broker since Kafka 0.11 takes, in their versions before
KIP-890: partitions are added by name before the first batch for them leaves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Mapping

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.context import ClientContext
from moldau.client.core.coordinators import KeyType, ask_until_done
from moldau.client.core.dialogue import Ask, Asks, Dialogue, Received, Step
from moldau.client.core.group_member import Membership
from moldau.client.core.producing.batch import Identity
from moldau.client.core.retry_deadline import RetryDeadline
from moldau.client.errors import (
    AccessDeniedError,
    RefusedError,
    TransactionError,
    UnsupportedVersionError,
    refusal,
)
from moldau.client.settings.producer import ProducerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.transaction.add_offsets_to_txn import (
    AddOffsetsToTxnRequest,
    AddOffsetsToTxnResponse,
)
from moldau.protocol.messages.transaction.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
)
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.messages.transaction.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["add_partitions", "commit_in_transaction", "end_transaction", "identify"]

NO_TIMEOUT = 0x7FFFFFFF
NEWEST_ADD_PARTITIONS = 3
NEWEST_END = 4
NEWEST_OFFSETS = 4
TWO_PHASES_FROM = 6
TWO_PHASES = (
    "TWO_PHASE_COMMIT on it, and switch on transaction.two.phase.commit.enable at the brokers"
)
NO_TWO_PHASES = (
    "the brokers do not serve two-phase commit (InitProducerId 6); switch on there "
    "transaction.two.phase.commit.enable, and with Apache Kafka unstable.api.versions.enable"
)

AddedTopic = AddPartitionsToTxnRequest.AddPartitionsToTxnTopic
OffsetTopic = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic
OffsetPartition = OffsetTopic.TxnOffsetCommitRequestPartition


def identify(
    context: ClientContext, settings: ProducerSettings, known: Identity, now_ms: int
) -> Dialogue[Identity]:
    """A producer id; of a transactional id it ends what an earlier producer left open."""
    name = settings.transactional_id
    request = InitProducerIdRequest(
        transactional_id=name,
        transaction_timeout_ms=NO_TIMEOUT if name is None else settings.transaction_timeout_ms,
        producer_id=known.producer_id,
        producer_epoch=known.epoch,
        enable2_pc=settings.transaction_two_phase_commit_enable,
    )
    deadline = context.deadline("asking for a producer id", now_ms)
    if name is None:
        answer = yield from _any_broker(request, deadline)
    else:
        answer = yield from _its_coordinator(context, name, request, deadline)
    return Identity(answer.producer_id, answer.producer_epoch)


def add_partitions(
    context: ClientContext,
    name: str,
    known: Identity,
    parts: Collection[TopicPartition],
    now_ms: int,
) -> Dialogue[None]:
    """Make them part of the open transaction."""
    topics: dict[str, list[int]] = defaultdict(list)
    for part in parts:
        topics[part.topic].append(part.partition)
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=name,
        v3_and_below_producer_id=known.producer_id,
        v3_and_below_producer_epoch=known.epoch,
        v3_and_below_topics=[
            AddedTopic(name=topic, partitions=numbers) for topic, numbers in topics.items()
        ],
    )
    deadline = context.deadline(f"adding partitions to the transaction of {name}", now_ms)
    yield from ask_until_done(
        context,
        KeyType.TRANSACTION,
        name,
        request,
        _added_code,
        deadline,
        NEWEST_ADD_PARTITIONS,
    )


def end_transaction(
    context: ClientContext, name: str, known: Identity, now_ms: int, *, commits: bool
) -> Dialogue[Identity]:
    """Commit or abort it; who we are after that.

    `TransactionError` where it has ended the other way: a prepared one, by another program.
    """
    request = EndTxnRequest(
        transactional_id=name,
        producer_id=known.producer_id,
        producer_epoch=known.epoch,
        committed=commits,
    )
    deadline = context.deadline(f"ending the transaction of {name}", now_ms)
    try:
        answer: EndTxnResponse = yield from ask_until_done(
            context, KeyType.TRANSACTION, name, request, _end_code, deadline, NEWEST_END
        )
    except RefusedError as refused:
        if refused.error is not ErrorCode.INVALID_TXN_STATE:
            raise
        wanted, was = ("committed", "aborted") if commits else ("aborted", "committed")
        raise TransactionError(
            f"the transaction of {name} cannot be {wanted}: another program has {was} it already"
        ) from refused
    if answer.producer_id < 0:
        return known
    return Identity(answer.producer_id, answer.producer_epoch)


def commit_in_transaction(
    context: ClientContext,
    name: str,
    known: Identity,
    member: Membership,
    offsets: Mapping[TopicPartition, CommittedOffset],
    now_ms: int,
) -> Dialogue[None]:
    """Have the offsets of a group committed with the transaction, or not at all."""
    deadline = context.deadline(f"adding offsets of group {member.group} to {name}", now_ms)
    add = AddOffsetsToTxnRequest(
        transactional_id=name,
        producer_id=known.producer_id,
        producer_epoch=known.epoch,
        group_id=member.group,
    )
    code_of = _added_offsets_code
    yield from ask_until_done(
        context, KeyType.TRANSACTION, name, add, code_of, deadline, NEWEST_OFFSETS
    )
    request = _offsets_request(name, known, member, offsets)
    yield from ask_until_done(
        context,
        KeyType.GROUP,
        member.group,
        request,
        _committed_code,
        deadline,
        NEWEST_OFFSETS,
    )


def _offsets_request(
    name: str,
    known: Identity,
    member: Membership,
    offsets: Mapping[TopicPartition, CommittedOffset],
) -> TxnOffsetCommitRequest:
    topics: dict[str, list[OffsetPartition]] = defaultdict(list)
    for part, kept in offsets.items():
        row = OffsetPartition(
            partition_index=part.partition,
            committed_offset=kept.offset,
            committed_leader_epoch=kept.wire_epoch,
            committed_metadata=kept.metadata,
        )
        topics[part.topic].append(row)
    return TxnOffsetCommitRequest(
        transactional_id=name,
        group_id=member.group,
        producer_id=known.producer_id,
        producer_epoch=known.epoch,
        generation_id=member.generation,
        member_id=member.member_id,
        group_instance_id=member.instance_id,
        topics=[OffsetTopic(name=topic, partitions=rows) for topic, rows in topics.items()],
    )


def _any_broker(
    request: InitProducerIdRequest, deadline: RetryDeadline
) -> Generator[Step, Received, InitProducerIdResponse]:
    while True:
        received = yield Asks((Ask(request),))
        answer = received.answers[0]
        if isinstance(answer, MoldauError):
            cause: MoldauError = answer
        else:
            assert isinstance(answer, InitProducerIdResponse), f"{answer!r} names no producer"
            code = ErrorCode.read(answer.error_code)
            if code is ErrorCode.NONE:
                return answer
            cause = refusal("producer id", code, api_key=request.KEY)
            if not code.retriable:
                raise cause
        yield deadline.pause(received.now_ms, cause)


def _its_coordinator(
    context: ClientContext, name: str, request: InitProducerIdRequest, deadline: RetryDeadline
) -> Generator[Step, Received, InitProducerIdResponse]:
    kind = KeyType.TRANSACTION
    if not request.enable2_pc:
        return (yield from ask_until_done(context, kind, name, request, _init_code, deadline))
    try:
        return (
            yield from ask_until_done(
                context, kind, name, request, _init_code, deadline, oldest=TWO_PHASES_FROM
            )
        )
    except AccessDeniedError as error:
        raise AccessDeniedError(f"transactional id {name}", TWO_PHASES) from error
    except UnsupportedVersionError as error:
        raise UnsupportedVersionError(f"transactional id {name}: {NO_TWO_PHASES}") from error


def _init_code(answer: InitProducerIdResponse) -> int:
    return answer.error_code


def _end_code(answer: EndTxnResponse) -> int:
    return answer.error_code


def _added_offsets_code(answer: AddOffsetsToTxnResponse) -> int:
    return answer.error_code


def _added_code(answer: AddPartitionsToTxnResponse) -> int:
    """The worst of them: one that cannot pass counts more than one that can."""
    codes = [
        row.partition_error_code
        for topic in answer.results_by_topic_v3_and_below
        for row in topic.results_by_partition
    ]
    return _worst(codes)


def _committed_code(answer: TxnOffsetCommitResponse) -> int:
    return _worst([row.error_code for topic in answer.topics for row in topic.partitions])


def _worst(codes: list[int]) -> int:
    wrong = [code for code in codes if code]
    final = [code for code in wrong if not ErrorCode.read(code).retriable]
    skipped = ErrorCode.OPERATION_NOT_ATTEMPTED
    return next((code for code in [*final, *wrong] if code != skipped), 0)
