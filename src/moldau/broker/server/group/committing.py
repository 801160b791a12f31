"""A commit on its way to the coordinator and back.

The handler has refused what it may not pass on; the coordinator answers the rest, at once or once
its records are replicated. In the answer refused partitions stand before the others of their topic.
"""

from __future__ import annotations

from itertools import repeat
from typing import Final, TypeAlias, cast

from moldau.broker.coordinator.group.offsets.offset_commit import OffsetCommit, respond
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import LATER, Answer, Call
from moldau.broker.server.group.asking import groups_of
from moldau.errors import KafkaError
from moldau.protocol.messages.group.offset_commit import OffsetCommitResponse
from moldau.protocol.wire.schema import Message

__all__ = ["TOPIC_IDS_SINCE", "Committing", "Refusals", "Topic", "add_refused", "response_of"]

TOPIC_IDS_SINCE: Final = 10

Topic = OffsetCommitResponse.OffsetCommitResponseTopic
Refusals: TypeAlias = dict[str | bytes, Topic]
"""By the name of a topic, or its id where it has none."""


class Committing:
    """What the coordinator shall have, on its way to it and back."""

    __slots__ = ("_call", "_commit", "_refusals")

    def __init__(self, call: Call, commit: OffsetCommit, refusals: Refusals) -> None:
        self._call = call
        self._commit = commit
        self._refusals = refusals

    def put(self, broker: Broker) -> Answer:
        """Ask the coordinator."""
        commit, caller = self._commit, self._call.connection_id
        try:
            response = groups_of(broker).join(
                commit.committer.group_id, commit, caller, self._answer_later
            )
        except KafkaError as error:
            return self._answer(error)
        return LATER if response is None else self._answer(response)

    def _answer_later(self, outcome: Message | KafkaError) -> None:
        self._call.answer(self._answer(outcome))

    def _answer(self, outcome: Message | KafkaError) -> Answer:
        committer = self._commit.committer
        if outcome is committer.response and committer.answer:
            return committer.answer
        if isinstance(outcome, KafkaError):
            outcome = respond(committer.request, repeat(outcome.code))
        topics = cast("OffsetCommitResponse", outcome).topics
        if self._refusals:
            for topic in topics:
                add_refused(self._refusals, topic)
            topics = [*self._refusals.values()]
        return response_of(self._call.version, topics)


def response_of(version: int, topics: list[Topic]) -> OffsetCommitResponse:
    """The answer in this version, which names topics or has their ids."""
    if version >= TOPIC_IDS_SINCE:
        for topic in topics:
            topic.name = ""
    return OffsetCommitResponse(throttle_time_ms=0, topics=topics)


def add_refused(refusals: Refusals, topic: Topic) -> None:
    """Put its partitions behind those of the same topic that are there."""
    known = refusals.setdefault(topic.name or topic.topic_id, topic)
    if known is not topic:
        known.partitions += topic.partitions
