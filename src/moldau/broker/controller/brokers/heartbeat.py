"""BrokerHeartbeat: a broker lives, and gets its state.

    fenced ──► unfenced             it has applied its own registration and asks to serve
    unfenced ──► fenced             it asks for it, or its session ended
    unfenced ──► shutting down      it asks to stop, and still leads something
    shutting down ──► may stop      it leads nothing, and all active brokers have read that
    fenced ──► controlled shutdown  it asks to stop, and nothing stands against it

Each heartbeat also has how far the broker has applied the metadata, and which of its directories
have failed or shall get no more replicas.
"""

from __future__ import annotations

from moldau.broker.controller.brokers.directories import cordoned_records, offline_records
from moldau.broker.controller.brokers.standing import Standing, known_broker, standing_of
from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.partitions.leaders import when_coming, when_leaving
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import FENCED, UNFENCED, BrokerState
from moldau.protocol.messages.broker.broker_heartbeat import (
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
)
from moldau.protocol.messages.stored.metadata_brokers import BrokerRegistrationChangeRecord
from moldau.protocol.wire.schema import Message


def heartbeat(request: BrokerHeartbeatRequest, situation: Situation, call: Call) -> Decision:
    """Move the broker to what it now is, and answer it."""
    broker = known_broker(request.broker_id, request.broker_epoch, situation)
    before = standing_of(broker)
    after = _next_standing(request, broker, before, situation)
    records = _records(broker, before, after, situation)
    _remember(request, after, situation, len(records))
    directories = situation.metadata_version
    if directories.has_directory_assignment:
        records += offline_records(broker, request.offline_log_dirs, situation)
    if directories.has_cordoned_directories:
        records += cordoned_records(broker, request.cordoned_log_dirs)
    reply = BrokerHeartbeatResponse(
        throttle_time_ms=0,
        error_code=0,
        is_caught_up=request.current_metadata_offset >= broker.epoch,
        is_fenced=after in (Standing.FENCED, Standing.MAY_GO),
        should_shut_down=after is Standing.MAY_GO,
    )
    return Decision(records, reply, is_atomic=False)


def fence_records(broker: BrokerState, situation: Situation) -> list[Message]:
    """Take everything from the broker, then fence it."""
    fence = BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id, broker_epoch=broker.epoch, fenced=FENCED
    )
    return [*when_leaving(situation, broker.broker_id), fence]


def _next_standing(
    request: BrokerHeartbeatRequest, broker: BrokerState, before: Standing, situation: Situation
) -> Standing:
    if before is Standing.FENCED:
        return _after_fenced(request, broker)
    if before is Standing.UNFENCED:
        return _after_unfenced(request, situation)
    if _leads_something(broker.broker_id, situation):
        return Standing.SHUTTING_DOWN
    return Standing.MAY_GO if situation.sessions.may_go(broker.broker_id) else before


def _after_fenced(request: BrokerHeartbeatRequest, broker: BrokerState) -> Standing:
    if request.want_shut_down:
        return Standing.MAY_GO
    has_caught_up = request.current_metadata_offset >= broker.epoch
    return Standing.UNFENCED if has_caught_up and not request.want_fence else Standing.FENCED


def _after_unfenced(request: BrokerHeartbeatRequest, situation: Situation) -> Standing:
    if request.want_fence:
        return Standing.MAY_GO if request.want_shut_down else Standing.FENCED
    if not request.want_shut_down:
        return Standing.UNFENCED
    if _leads_something(request.broker_id, situation):
        return Standing.SHUTTING_DOWN
    return Standing.MAY_GO


def _leads_something(broker_id: int, situation: Situation) -> bool:
    return any(state.leader == broker_id for _, _, state in situation.replicas.on_broker(broker_id))


def _records(
    broker: BrokerState, before: Standing, after: Standing, situation: Situation
) -> list[Message]:
    if after is before:
        return []
    match after:
        case Standing.FENCED | Standing.MAY_GO:
            return fence_records(broker, situation) if not broker.fenced else []
        case Standing.UNFENCED:
            unfence = _change(broker, fenced=UNFENCED)
            return [unfence, *when_coming(situation, broker.broker_id)]
        case Standing.SHUTTING_DOWN:
            leaving = _change(broker, in_controlled_shutdown=1)
            return [leaving, *when_leaving(situation, broker.broker_id)]


def _change(
    broker: BrokerState, *, fenced: int = 0, in_controlled_shutdown: int = 0
) -> BrokerRegistrationChangeRecord:
    return BrokerRegistrationChangeRecord(
        broker_id=broker.broker_id,
        broker_epoch=broker.epoch,
        fenced=fenced,
        in_controlled_shutdown=in_controlled_shutdown,
    )


def _remember(
    request: BrokerHeartbeatRequest, after: Standing, situation: Situation, record_count: int
) -> None:
    if after in (Standing.FENCED, Standing.MAY_GO):
        situation.sessions.drop(request.broker_id)
        return
    situation.sessions.touch(request.broker_id, request.current_metadata_offset, situation.now_ms)
    if after is Standing.SHUTTING_DOWN:
        last_offset = situation.next_offset + record_count - 1
        situation.sessions.shut_down_from(request.broker_id, last_offset)
