"""What a broker is to the controller, and whether its present life has a session."""

from __future__ import annotations

from enum import Enum

from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import BrokerState
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode


class Standing(Enum):
    """The steps of a broker's life in the cluster."""

    FENCED = "fenced"
    UNFENCED = "unfenced"
    SHUTTING_DOWN = "shutting down"
    MAY_GO = "may go"


def standing_of(broker: BrokerState) -> Standing:
    """As the records have it; that a broker may stop is answered and never written."""
    if broker.fenced:
        return Standing.FENCED
    return Standing.SHUTTING_DOWN if broker.in_controlled_shutdown else Standing.UNFENCED


def known_broker(broker_id: int, epoch: int, situation: Situation) -> BrokerState:
    """The broker, if the request is of its present life."""
    broker = situation.broker(broker_id)
    if broker is None:
        text = f"broker {broker_id} is not registered; it has to register first"
        raise KafkaError(ErrorCode.STALE_BROKER_EPOCH, text)
    if broker.epoch != epoch:
        text = f"broker {broker_id} has epoch {broker.epoch} now; {epoch} was an earlier life"
        raise KafkaError(ErrorCode.STALE_BROKER_EPOCH, text)
    return broker
