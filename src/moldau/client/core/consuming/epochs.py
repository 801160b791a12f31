"""A membership in a group of KIP-848, as a dialogue that lasts as long as it does.

One request does everything. The coordinator decides who gets what, in its answers; a
member first gives up what it is to lose, reports it, and then gets what others have given up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator

from moldau.client.core.consuming.group_state import Await, Change, GroupState, MemberDialogue
from moldau.client.core.context import ClientContext
from moldau.client.core.coordinators import KeyType, find_coordinator, forget_coordinator
from moldau.client.core.dialogue import Ask, Asks, Pause, Received
from moldau.client.core.metadata import refresh_ids
from moldau.client.errors import FencedError, NameTakenError, UnsupportedVersionError, refusal
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.group.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode, Remedy

__all__ = ["epoch_membership"]

JOIN, LEAVE, LEAVE_FOR_A_WHILE = 0, -1, -2
Steps = Asks | Pause | Await
Owned = ConsumerGroupHeartbeatRequest.TopicPartitions
FENCED = (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH)


def epoch_membership(
    context: ClientContext, settings: ConsumerSettings, state: GroupState, member_id: str
) -> MemberDialogue:
    """Until the consumer leaves; what cannot pass is raised."""
    state.member_id, state.generation = member_id, JOIN
    member = _Member(context, settings, state)
    limit_ms = settings.max_poll_interval_ms
    while not state.is_leaving:
        if not state.topics and state.server_pattern is None:
            yield Pause(settings.heartbeat_interval_ms)
            continue
        yield from member.beat()
        if not state.is_leaving:
            received = yield Pause(min(member.wait_ms, limit_ms))
            if not state.is_leaving and state.is_idle(received.now_ms, limit_ms):
                yield from member.leave_until_polled()
    yield from member.leave()


class _Member:
    """One member's dialogue with the coordinator."""

    def __init__(
        self, context: ClientContext, settings: ConsumerSettings, state: GroupState
    ) -> None:
        self._context = context
        self._settings = settings
        self._state = state
        self._tries = 0
        self._sent: tuple[frozenset[str], str | None] | None = None
        """What the coordinator knows of our subscription."""
        self._target: frozenset[TopicPartition] | None = None
        self._unnamed: dict[bytes, list[int]] = {}
        self._must_say_owned = True
        self._must_say_all = False
        """An answer may have been lost, with an assignment in it that comes again only to a member
        with everything: its timeout, its subscription and what it owns."""
        self.wait_ms: float = 0

    def beat(self) -> Generator[Steps, Received, None]:
        """One heartbeat, and what comes of it."""
        answer = yield from self._ask(self._request())
        if answer is None:
            return
        code = ErrorCode.read(answer.error_code)
        if code is not ErrorCode.NONE:
            yield from self._take_error(code, answer.error_message)
            return
        self._must_say_owned = self._must_say_all = False
        self._heed(answer)
        yield from self._name_target()
        yield from self._obey()

    def _heed(self, answer: ConsumerGroupHeartbeatResponse) -> None:
        self._tries = 0
        self._state.generation = answer.member_epoch
        self._state.member_id = answer.member_id or self._state.member_id
        self.wait_ms = answer.heartbeat_interval_ms
        if answer.assignment is not None:
            self._unnamed = {
                row.topic_id: list(row.partitions) for row in answer.assignment.topic_partitions
            }
            self._target = None

    def leave(self) -> Generator[Steps, Received, None]:
        state = self._state
        if state.generation <= JOIN:
            return
        state.generation = LEAVE if state.instance_id is None else LEAVE_FOR_A_WHILE
        request = ConsumerGroupHeartbeatRequest(
            group_id=state.group,
            member_id=state.member_id,
            member_epoch=state.generation,
            instance_id=state.instance_id,
        )
        yield from self._ask(request)

    def leave_until_polled(self, pending: Change | None = None) -> Generator[Steps, Received, None]:
        """Others have its partitions meanwhile."""
        state = self._state
        state.warn_of_leaving(self._settings.max_poll_interval_ms)
        yield from self.leave()
        state.generation, self._target, self._unnamed = JOIN, None, {}
        yield from self._change(state.lose(pending))

    def _request(self) -> ConsumerGroupHeartbeatRequest:
        """All of it on joining and after a failure; after that only what has changed."""
        state, settings = self._state, self._settings
        request = ConsumerGroupHeartbeatRequest(
            group_id=state.group,
            member_id=state.member_id,
            member_epoch=state.generation,
            instance_id=state.instance_id,
        )
        joins = state.generation == JOIN
        says_all = joins or self._must_say_all
        wanted = (state.topics, state.server_pattern)
        if says_all:
            request.rack_id = settings.client_rack or None
            request.rebalance_timeout_ms = settings.max_poll_interval_ms
            request.server_assignor = settings.group_remote_assignor
        if says_all or self._sent != wanted:
            request.subscribed_topic_names = sorted(state.topics)
            request.subscribed_topic_regex = state.server_pattern
        if joins:
            request.topic_partitions = []
        elif says_all or self._must_say_owned:
            request.topic_partitions = self._owned()
        self._sent = wanted
        return request

    def _owned(self) -> list[Owned]:
        rows: dict[bytes, list[int]] = defaultdict(list)
        for part in sorted(self._state.owned):
            rows[self._context.cluster.topics[part.topic].topic_id].append(part.partition)
        return [Owned(topic_id=topic_id, partitions=numbers) for topic_id, numbers in rows.items()]

    def _name_target(self) -> Generator[Steps, Received, None]:
        """Topics come by their ids; those whose names are not known yet are asked for."""
        if self._target is not None:
            return
        names = self._names()
        if set(self._unnamed) - set(names):
            yield from refresh_ids(self._context, set(self._unnamed) - set(names))
            names = self._names()
        self._target = frozenset(
            TopicPartition(names[topic_id], number)
            for topic_id, numbers in self._unnamed.items()
            if topic_id in names
            for number in numbers
        )
        if set(self._unnamed) - set(names):
            self._target, self.wait_ms = None, self._context.backoff.wait_ms(self._tries)

    def _names(self) -> dict[bytes, str]:
        topics = self._context.cluster.topics
        return {topic.topic_id: name for name, topic in topics.items()}

    def _obey(self) -> Generator[Steps, Received, None]:
        if self._target is None or self._target == self._state.owned:
            return
        change = self._state.gain(self._target)
        if change.revoked:
            yield from self._change(Change(revoked=change.revoked))
        if change.assigned and self._target is not None:
            yield from self._change(Change(assigned=change.assigned))
        self._must_say_owned, self.wait_ms = True, 0

    def _change(self, change: Change) -> Generator[Steps, Received, None]:
        """Have it settled, showing meanwhile that we live."""
        state = self._state
        state.is_settled = False
        state.own(change)
        limit_ms = self._settings.max_poll_interval_ms
        while not state.is_settled and not state.is_leaving:
            wait_ms = min(self.wait_ms or self._settings.heartbeat_interval_ms, limit_ms)
            received = yield Await(change, wait_ms)
            if state.is_settled or change.is_loss:
                continue
            if state.is_idle(received.now_ms, limit_ms):
                yield from self.leave_until_polled(change)
                return
            request = ConsumerGroupHeartbeatRequest(
                group_id=state.group,
                member_id=state.member_id,
                member_epoch=state.generation,
                instance_id=state.instance_id,
            )
            answer = yield from self._ask(request)
            if answer is not None:
                self._heed_meanwhile(answer)

    def _heed_meanwhile(self, answer: ConsumerGroupHeartbeatResponse) -> None:
        """Another assignment is obeyed after this one; an error comes again with the next beat."""
        if answer.error_code:
            self._must_say_all = True
        else:
            self._heed(answer)

    def _ask(
        self, request: ConsumerGroupHeartbeatRequest
    ) -> Generator[Steps, Received, ConsumerGroupHeartbeatResponse | None]:
        """None where the coordinator cannot be reached; `wait_ms` is until the next try."""
        group = self._state.group
        deadline = self._context.deadline(f"looking for the coordinator of {group}", 0, 1 << 60)
        node_id = yield from find_coordinator(self._context, KeyType.GROUP, group, deadline)
        received = yield Asks((Ask(request, node_id),))
        answer = received.answers[0]
        if isinstance(answer, UnsupportedVersionError):
            raise _lacking(group) from answer
        if isinstance(answer, MoldauError):
            forget_coordinator(self._context, KeyType.GROUP, group)
            self._must_say_all = True
            self._back_off()
            return None
        assert isinstance(answer, ConsumerGroupHeartbeatResponse), f"{answer!r} is no heartbeat"
        return answer

    def _back_off(self) -> None:
        self.wait_ms = self._context.backoff.wait_ms(self._tries)
        self._tries += 1

    def _take_error(self, code: ErrorCode, detail: str | None) -> Generator[Steps, Received, None]:
        state = self._state
        self._must_say_all = True
        if code in FENCED:
            state.generation, self._target, self._unnamed = JOIN, None, {}
            if state.owned:
                yield from self._change(state.lose())
            self._back_off()
            return
        if code is ErrorCode.UNRELEASED_INSTANCE_ID:
            raise NameTakenError(state.group, state.instance_id)
        if code is ErrorCode.FENCED_INSTANCE_ID:
            raise FencedError(f"member ({state.instance_id})")
        if code is ErrorCode.UNSUPPORTED_VERSION:  # brokers before 4.0 that know the request
            raise _lacking(state.group)
        if not code.retriable:
            raise refusal(f"group {state.group}", code, detail)
        if code.remedy is Remedy.REFIND:
            forget_coordinator(self._context, KeyType.GROUP, state.group)
        self._back_off()


def _lacking(group: str) -> UnsupportedVersionError:
    return UnsupportedVersionError(
        f"the brokers of group {group} do not have the protocol of KIP-848: set "
        "group.protocol=classic, or take brokers of Kafka 4.0 or later"
    )
