"""Why a replica cannot do what it is asked: Kafka's error codes with sentences for people."""

from __future__ import annotations

from moldau.errors import CorruptRecordError, KafkaError, MoldauError, StorageError
from moldau.protocol.wire.error_codes import ErrorCode


def code_of(error: MoldauError) -> int:
    """The error code under which a refusal of any package goes over the wire."""
    code = getattr(error, "code", None)
    if isinstance(code, int):
        return code
    if isinstance(error, CorruptRecordError):
        return ErrorCode.CORRUPT_MESSAGE
    if isinstance(error, StorageError):
        return ErrorCode.KAFKA_STORAGE_ERROR
    return ErrorCode.UNKNOWN_SERVER_ERROR


def unknown_partition(topic: str, index: int) -> KafkaError:
    return KafkaError(
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"{topic}-{index} is not on this broker"
    )


def not_leader(name: str) -> KafkaError:
    return KafkaError(
        ErrorCode.NOT_LEADER_OR_FOLLOWER, f"{name} is not led here; ask for its leader again"
    )


def not_settled(name: str) -> KafkaError:
    return KafkaError(
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        f"{name} is led here since a moment ago, and an earlier batch of this producer is missing; "
        f"send both again in their order",
    )


def not_enough_replicas(name: str, count: int, wanted: int) -> KafkaError:
    return KafkaError(
        ErrorCode.NOT_ENOUGH_REPLICAS,
        f"{name} has {count} replicas in sync where min.insync.replicas is {wanted}",
    )


def offline(name: str, reason: str) -> KafkaError:
    return KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, f"{name} is offline: {reason}")


def check_leader_epoch(name: str, asked: int, known: int) -> None:
    """Refuse a request with another leader epoch; -1 asks for no check."""
    if asked == known or asked == -1:
        return
    if asked < known:
        raise KafkaError(
            ErrorCode.FENCED_LEADER_EPOCH, f"{name}: leader epoch {asked} is over, it is {known}"
        )
    raise KafkaError(
        ErrorCode.UNKNOWN_LEADER_EPOCH, f"{name}: leader epoch {asked} has not come here yet"
    )
