"""A membership in a share group, as a dialogue that lasts as long as it does.

One request does everything, as in groups of KIP-848; but nothing has to be given up before others
get it, since several members read the same partitions anyway.
"""

from __future__ import annotations

from collections.abc import Generator

from moldau.client.core.consuming.group_state import Await, GroupState, MemberDialogue
from moldau.client.core.context import ClientContext
from moldau.client.core.coordinators import KeyType, find_coordinator, forget_coordinator
from moldau.client.core.dialogue import Ask, Asks, Pause, Received
from moldau.client.core.metadata import refresh_ids, refresh_now
from moldau.client.errors import UnsupportedVersionError, refusal
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.share.share_group_heartbeat import (
    ShareGroupHeartbeatRequest,
    ShareGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode, Remedy

__all__ = ["share_membership"]

JOIN, LEAVE = 0, -1
IDLE_MS = 1000.0
SOON_MS = 50.0
"""After an answer without an assignment, and twice as long after each further one: a coordinator
assigns what it has initialized, which it begins to do with the first heartbeat."""
FOR_EVER_MS = 1 << 60
FENCED = (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH)
Steps = Asks | Pause | Await


def share_membership(context: ClientContext, state: GroupState, member_id: str) -> MemberDialogue:
    """Until the consumer leaves; what cannot pass is raised."""
    state.member_id, state.generation = member_id, JOIN
    member = _Member(context, state)
    while not state.is_leaving:
        if state.topics:
            yield from member.beat()
        if not state.is_leaving:
            yield Pause(member.wait_ms)
    if state.generation > JOIN:
        yield from member.leave()


class _Member:
    """One member's dialogue with the coordinator."""

    def __init__(self, context: ClientContext, state: GroupState) -> None:
        self._context = context
        self._state = state
        self._tries = 0
        self._sent: frozenset[str] | None = None
        """The subscription that the coordinator knows; None after a failure, since an assignment
        that was lost with its answer comes again only to a member that sends its subscription."""
        self._unnamed: dict[bytes, list[int]] = {}
        """What is assigned, by the ids of topics."""
        self._empty_count = 0
        """Answers in a row after which nothing was assigned."""
        self.wait_ms = IDLE_MS

    def beat(self) -> Generator[Steps, Received, None]:
        """One heartbeat, and what comes of it."""
        state, wanted = self._state, self._state.topics
        is_news = state.generation == JOIN or self._sent != wanted
        if is_news and self._context.creates_topics:
            yield from refresh_now(self._context, sorted(wanted))
        request = ShareGroupHeartbeatRequest(
            group_id=state.group,
            member_id=state.member_id,
            member_epoch=state.generation,
            rack_id=(self._context.settings.client_rack or None) if is_news else None,
            subscribed_topic_names=sorted(wanted) if is_news else None,
        )
        answer = yield from self._ask(request)
        if answer is None:
            return
        code = ErrorCode.read(answer.error_code)
        if code is not ErrorCode.NONE:
            self._take_error(code, answer.error_message)
            return
        self._tries, self._sent = 0, wanted
        state.generation, self.wait_ms = answer.member_epoch, answer.heartbeat_interval_ms
        if is_news:
            self._empty_count = 0
        if answer.assignment is not None:
            self._unnamed = {
                row.topic_id: list(row.partitions) for row in answer.assignment.topic_partitions
            }
        if not self._unnamed:
            self.wait_ms = min(self.wait_ms, SOON_MS * 2**self._empty_count)
            self._empty_count += 1
        yield from self._name()

    def leave(self) -> Generator[Steps, Received, None]:
        state = self._state
        state.generation = LEAVE
        request = ShareGroupHeartbeatRequest(
            group_id=state.group, member_id=state.member_id, member_epoch=LEAVE
        )
        yield from self._ask(request)

    def _name(self) -> Generator[Steps, Received, None]:
        """Topics come by their ids; those whose names are not known yet are asked for."""
        names = self._names()
        if unknown := set(self._unnamed) - set(names):
            yield from refresh_ids(self._context, unknown)
            names = self._names()
        self._state.owned = frozenset(
            TopicPartition(names[topic_id], number)
            for topic_id, numbers in self._unnamed.items()
            if topic_id in names
            for number in numbers
        )
        if set(self._unnamed) - set(names):
            self._back_off()

    def _names(self) -> dict[bytes, str]:
        topics = self._context.cluster.topics
        return {topic.topic_id: name for name, topic in topics.items()}

    def _ask(
        self, request: ShareGroupHeartbeatRequest
    ) -> Generator[Steps, Received, ShareGroupHeartbeatResponse | None]:
        """None where the coordinator cannot be reached; `wait_ms` is until the next try."""
        group = self._state.group
        deadline = self._context.deadline(f"looking for the coordinator of {group}", 0, FOR_EVER_MS)
        node_id = yield from find_coordinator(self._context, KeyType.GROUP, group, deadline)
        answer = (yield Asks((Ask(request, node_id),))).answers[0]
        if isinstance(answer, UnsupportedVersionError):
            raise _lacking(group) from answer
        if isinstance(answer, MoldauError):
            forget_coordinator(self._context, KeyType.GROUP, group)
            self._sent = None
            self._back_off()
            return None
        assert isinstance(answer, ShareGroupHeartbeatResponse), f"{answer!r} is no heartbeat"
        return answer

    def _back_off(self) -> None:
        self.wait_ms = self._context.backoff.wait_ms(self._tries)
        self._tries += 1

    def _take_error(self, code: ErrorCode, detail: str | None) -> None:
        state = self._state
        self._sent = None
        if code is ErrorCode.UNSUPPORTED_VERSION:  # brokers of 4.1 have them switched off
            raise _lacking(state.group)
        if code in FENCED:
            state.generation, state.owned, self._unnamed = JOIN, frozenset(), {}
        elif not code.retriable:
            raise refusal(f"group {state.group}", code, detail)
        elif code.remedy is Remedy.REFIND:
            forget_coordinator(self._context, KeyType.GROUP, state.group)
        self._back_off()


def _lacking(group: str) -> UnsupportedVersionError:
    return UnsupportedVersionError(
        f"the brokers of group {group} do not have share groups (KIP-932): take brokers "
        "of Kafka 4.2 or later, or a consumer with group.protocol=classic"
    )
