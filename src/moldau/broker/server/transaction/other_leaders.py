"""Having markers written by the leaders of partitions on other brokers (WriteTxnMarkers).

Markers of many transactions that go to one broker share requests. The answer names producers, not
markers, so a second marker of a producer waits for the next request: its codes would be taken for
those of the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from moldau.broker.runtime.shared_questions import SharedQuestions
from moldau.broker.server.broker import Broker
from moldau.broker.server.transaction.markers import Marker, Name
from moldau.errors import KafkaError, NetworkError
from moldau.protocol.messages.transaction.write_txn_markers import (
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["OtherLeaders"]

Written = WriteTxnMarkersRequest.WritableTxnMarker
Codes = Mapping[Name, int]


class _Wanted(NamedTuple):
    """One marker, and the partitions that it goes to."""

    marker: Marker
    names: Sequence[Name]


class OtherLeaders:
    """The leaders on other brokers."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._questions: dict[int, SharedQuestions[_Wanted, Codes]] = {}

    def __repr__(self) -> str:
        return f"OtherLeaders({len(self._questions)} brokers asked so far)"

    async def write(self, broker_id: int, marker: Marker, names: Sequence[Name]) -> Codes:
        """The error code of each partition; that of the network where there is no answer."""
        questions = self._questions.get(broker_id)
        if questions is None:
            name = f"markers to {broker_id}"
            questions = SharedQuestions(self._broker.tasks, name, partial(self._ask, broker_id))
            self._questions[broker_id] = questions
        try:
            return await questions.ask(_Wanted(marker, names))
        except (NetworkError, TimeoutError, KafkaError):
            return dict.fromkeys(names, ErrorCode.NETWORK_EXCEPTION)

    async def _ask(self, broker_id: int, wanted: list[_Wanted]) -> list[Codes]:
        codes: list[Codes] = [{}] * len(wanted)
        for places in _rounds(wanted):
            answered = await self._ask_round(broker_id, [wanted[place] for place in places])
            for place in places:
                codes[place] = _codes(wanted[place], answered)
        return codes

    async def _ask_round(self, broker_id: int, wanted: list[_Wanted]) -> Mapping[int, Codes]:
        """What the broker answers, by producer."""
        request = WriteTxnMarkersRequest(markers=[_written(one) for one in wanted])
        timeout_ms = self._broker.settings.request_timeout_ms
        response = await self._broker.others.ask(broker_id, request, timeout_ms)
        assert isinstance(response, WriteTxnMarkersResponse)
        return {
            result.producer_id: {
                (topic.name, one.partition_index): one.error_code
                for topic in result.topics
                for one in topic.partitions
            }
            for result in response.markers
        }


def _rounds(wanted: Sequence[_Wanted]) -> list[list[int]]:
    """Places in the list, so that no round has two markers of a producer; in their order."""
    rounds: list[list[int]] = []
    seen: Counter[int] = Counter()
    for place, one in enumerate(wanted):
        number = seen[one.marker.producer_id]
        seen[one.marker.producer_id] += 1
        if number == len(rounds):
            rounds.append([])
        rounds[number].append(place)
    return rounds


def _codes(wanted: _Wanted, answered: Mapping[int, Codes]) -> Codes:
    """The codes of these partitions; one that the answer leaves out is asked again."""
    codes = answered.get(wanted.marker.producer_id, {})
    missing = ErrorCode.NETWORK_EXCEPTION
    return {name: codes.get(name, missing) for name in wanted.names}


def _written(wanted: _Wanted) -> Written:
    marker = wanted.marker
    topics: dict[str, list[int]] = {}
    for topic, index in wanted.names:
        topics.setdefault(topic, []).append(index)
    return Written(
        producer_id=marker.producer_id,
        producer_epoch=marker.producer_epoch,
        transaction_result=marker.is_commit,
        topics=[
            Written.WritableTxnMarkerTopic(name=name, partition_indexes=indexes)
            for name, indexes in topics.items()
        ],
        coordinator_epoch=marker.coordinator_epoch,
        transaction_version=marker.transaction_version,
    )
