"""Batches of the metadata log, as its leader makes them; the log gives them their offsets."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from moldau.broker.metadata.record_codec import encode_at
from moldau.broker.quorum.effects import BeginEpoch, RaiseVersion
from moldau.broker.quorum.voters import VoterSet, voters_record
from moldau.broker.runtime.quorum.metadata_log import BATCH_BYTES_MAX
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.control import KRaftVersionRecord, LeaderChangeMessage
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.control import ControlType, build_quorum_batch
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

RECORDS_MAX = 10_000
"""Of one decision; Kafka's controller has the same bound."""


def metadata_batch(
    records: Sequence[Message], metadata_version: int, epoch: int, now_ms: int
) -> Generator[None, None, bytearray]:
    """All records of one decision: they are in the log together or not at all."""
    if len(records) > RECORDS_MAX:
        _refuse(f"the request would need {len(records)} metadata records")
    builder = BatchBuilder(BatchFields(leader_epoch=epoch))
    for record in records:
        builder.append(now_ms, None, encode_at(record, metadata_version))
        yield
    if builder.size > BATCH_BYTES_MAX:
        _refuse(f"the request would need metadata records of {builder.size} bytes")
    return builder.build()


def _refuse(text: str) -> None:
    limits = f"{RECORDS_MAX} records, {BATCH_BYTES_MAX} bytes"
    raise KafkaError(ErrorCode.POLICY_VIOLATION, f"{text}; ask for less at a time ({limits})")


def leader_change_batch(
    effect: BeginEpoch, leader_id: int, kraft_version: int, now_ms: int
) -> bytearray:
    """The first batch of an epoch."""
    change = LeaderChangeMessage(
        version=0,
        leader_id=leader_id,
        voters=[
            LeaderChangeMessage.Voter(voter_id=node_id) for node_id in sorted(effect.voters.ids)
        ],
        granting_voters=[
            LeaderChangeMessage.Voter(voter_id=node_id) for node_id in effect.granting
        ],
    )
    records = [(ControlType.LEADER_CHANGE, encode(change, 0))]
    if effect.voters_to_write is not None:
        level = KRaftVersionRecord(version=0, kraft_version=kraft_version)
        records.append((ControlType.KRAFT_VERSION, encode(level, 0)))
        records.append((ControlType.KRAFT_VOTERS, _voters(effect.voters_to_write)))
    return build_quorum_batch(records, timestamp=now_ms, leader_epoch=effect.epoch)


def voters_batch(voters: VoterSet, epoch: int, now_ms: int) -> bytearray:
    """A changed voter set."""
    record = (ControlType.KRAFT_VOTERS, _voters(voters))
    return build_quorum_batch([record], timestamp=now_ms, leader_epoch=epoch)


def raised_version_batch(effect: RaiseVersion, now_ms: int) -> bytearray:
    """The voters' place in the log, and the level from which on they have one."""
    level = KRaftVersionRecord(version=0, kraft_version=effect.kraft_version)
    records = [
        (ControlType.KRAFT_VERSION, encode(level, 0)),
        (ControlType.KRAFT_VOTERS, _voters(effect.voters)),
    ]
    return build_quorum_batch(records, timestamp=now_ms, leader_epoch=effect.epoch)


def _voters(voters: VoterSet) -> bytes:
    return encode(voters_record(voters), 0)
