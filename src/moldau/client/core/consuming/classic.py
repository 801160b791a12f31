"""A membership in a classic group, as a dialogue that lasts as long as it does.

    join      every member sends its subscription; the leader, chosen by the coordinator, gets all
    sync      the leader sends who gets what, and each member receives its own part
    stay      heartbeats, until the coordinator calls for another round, or a member leaves

With eager assignors all is given up before joining. With the cooperative one a member keeps what
it has, gives up only what is to move, and joins once more to let others have it (KIP-429).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from moldau.client.core.consuming.assignors import COOPERATIVE, Member, assign
from moldau.client.core.consuming.group_state import Await, Change, GroupState, MemberDialogue
from moldau.client.core.consuming.protocol import (
    read_assignment,
    read_member,
    write_assignment,
    write_subscription,
)
from moldau.client.core.context import ClientContext
from moldau.client.core.coordinators import KeyType, find_coordinator, forget_coordinator
from moldau.client.core.dialogue import Answer, Ask, Asks, Pause, Received
from moldau.client.core.group_member import NO_GENERATION
from moldau.client.core.metadata import refresh_now
from moldau.client.errors import FencedError, refusal
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.messages.group.join_group import JoinGroupRequest, JoinGroupResponse
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest, SyncGroupResponse
from moldau.protocol.wire.error_codes import ErrorCode, Remedy
from moldau.protocol.wire.schema import Request

__all__ = ["classic_membership"]

CONSUMER = "consumer"
STICKY = "sticky"
JOIN_SLACK_MS = 5_000
"""A join is answered when the rebalance is over, and a little later."""
Wanted = JoinGroupRequest.JoinGroupRequestProtocol
Part = SyncGroupRequest.SyncGroupRequestAssignment
Steps = Asks | Pause | Await
FORGOTTEN = (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION)
ROUND = (ErrorCode.REBALANCE_IN_PROGRESS, ErrorCode.MEMBER_ID_REQUIRED)


def classic_membership(
    context: ClientContext, settings: ConsumerSettings, state: GroupState
) -> MemberDialogue:
    """Until the consumer leaves; what cannot pass is raised."""
    member = _Classic(context, settings, state)
    while not state.is_leaving:
        if not state.topics:
            yield Pause(settings.heartbeat_interval_ms)
            continue
        if (yield from member.join()):
            yield from member.stay()
    yield from member.leave()


class _Classic:
    """One member's dialogue with the coordinator."""

    def __init__(
        self, context: ClientContext, settings: ConsumerSettings, state: GroupState
    ) -> None:
        self._context = context
        self._settings = settings
        self._state = state
        self._pause_ms = min(settings.heartbeat_interval_ms, settings.max_poll_interval_ms)
        self._tries = 0
        self._assignor = ""
        self._joined_with: frozenset[str] = frozenset()
        self._had: frozenset[TopicPartition] = frozenset()
        """What it owned in the generation before: the sticky one remembers."""
        self._counts: dict[str, int] | None = None
        """Partitions of all topics of the group, if this member leads it."""

    @property
    def _is_cooperative(self) -> bool:
        return all(name == COOPERATIVE for name in self._settings.assignors) or (
            self._assignor == COOPERATIVE
        )

    # joining

    def join(self) -> Generator[Steps, Received, bool]:
        """Whether there is an assignment."""
        state = self._state
        self._had = state.owned or self._had
        if not self._is_cooperative:
            yield from self._change(Change(revoked=state.owned))
        self._joined_with = state.topics
        limit_ms = self._settings.max_poll_interval_ms + JOIN_SLACK_MS
        answer = yield from self._ask(self._join_request(), limit_ms)
        if answer is None:
            return False
        assert isinstance(answer, JoinGroupResponse), f"{answer!r} answers no join"
        code = ErrorCode.read(answer.error_code)
        if code is ErrorCode.MEMBER_ID_REQUIRED:
            state.member_id = answer.member_id
            return False
        if code is not ErrorCode.NONE:
            yield from self._take_error(code)
            return False
        state.member_id, state.generation = answer.member_id, answer.generation_id
        self._assignor = answer.protocol_name or ""
        parts = yield from self._share(answer)
        return (yield from self._sync(answer, parts))

    def _join_request(self) -> JoinGroupRequest:
        settings, state = self._settings, self._state
        protocols = [
            Wanted(
                name=name,
                metadata=write_subscription(
                    name,
                    state.topics,
                    self._had if name == STICKY else state.owned,
                    state.generation,
                    settings.client_rack,
                ),
            )
            for name in settings.assignors
        ]
        return JoinGroupRequest(
            group_id=state.group,
            session_timeout_ms=settings.session_timeout_ms,
            rebalance_timeout_ms=settings.max_poll_interval_ms,
            member_id=state.member_id,
            group_instance_id=state.instance_id,
            protocol_type=CONSUMER,
            protocols=protocols,
        )

    def _share(self, answer: JoinGroupResponse) -> Generator[Steps, Received, list[Part]]:
        """The assignment of all members, if this one leads the group."""
        self._counts = None
        if answer.leader != answer.member_id:
            return []
        members = [
            read_member(row.member_id, row.group_instance_id, row.metadata)
            for row in answer.members
        ]
        counts = yield from self._count(members)
        self._counts = counts
        if answer.skip_assignment:
            return []
        shares = assign(self._assignor, members, counts)
        return [
            Part(member_id=name, assignment=write_assignment(parts))
            for name, parts in shares.items()
        ]

    def _count(self, members: Iterable[Member]) -> Generator[Steps, Received, dict[str, int]]:
        topics = {topic for member in members for topic in member.topics}
        error = yield from refresh_now(self._context, sorted(topics))
        known = self._context.cluster.topics
        if error is not None:
            yield Pause(self._context.backoff.wait_ms(0))
        refused = self._context.cluster.refused
        return {
            topic: len(known[topic].leaders)
            for topic in topics
            if topic in known and topic not in refused
        }

    def _sync(
        self, joined: JoinGroupResponse, parts: list[Part]
    ) -> Generator[Steps, Received, bool]:
        state = self._state
        request = SyncGroupRequest(
            group_id=state.group,
            generation_id=state.generation,
            member_id=state.member_id,
            group_instance_id=state.instance_id,
            protocol_type=CONSUMER,
            protocol_name=joined.protocol_name,
            assignments=parts,
        )
        limit_ms = self._settings.max_poll_interval_ms + JOIN_SLACK_MS
        answer = yield from self._ask(request, limit_ms)
        if answer is None:
            return False
        assert isinstance(answer, SyncGroupResponse), f"{answer!r} answers no sync"
        code = ErrorCode.read(answer.error_code)
        if code is not ErrorCode.NONE:
            yield from self._take_error(code)
            return False
        self._tries = 0
        return (yield from self._obey(read_assignment(answer.assignment)))

    def _obey(self, assigned: set[TopicPartition]) -> Generator[Steps, Received, bool]:
        """False where another round is needed, so that others get what was given up."""
        change = self._state.gain(assigned)
        if change.revoked:
            yield from self._change(Change(revoked=change.revoked))
        if self._state.generation >= 0:
            yield from self._change(Change(assigned=change.assigned), even_if_empty=True)
        return not change.revoked and self._state.generation >= 0

    # staying

    def stay(self) -> Generator[Steps, Received, None]:
        """Until another round begins, or this member is to leave."""
        while True:
            received = yield Pause(self._pause_ms)
            state = self._state
            if state.is_leaving:
                return
            if state.is_idle(received.now_ms, self._settings.max_poll_interval_ms):
                yield from self._leave_until_polled()
                return
            if state.topics != self._joined_with or self._has_grown():
                return
            if not (yield from self._beat()):
                return

    def _has_grown(self) -> bool:
        """Whether the leader's topics have got partitions, or have appeared."""
        if self._counts is None:
            return False
        topics, refused = self._context.cluster.topics, self._context.cluster.refused
        wanted = {*self._counts, *self._state.topics}
        return any(
            topic in topics
            and topic not in refused
            and len(topics[topic].leaders) != self._counts.get(topic, 0)
            for topic in wanted
        )

    def _beat(self) -> Generator[Steps, Received, bool]:
        """Whether the generation stands."""
        state = self._state
        request = HeartbeatRequest(
            group_id=state.group,
            generation_id=state.generation,
            member_id=state.member_id,
            group_instance_id=state.instance_id,
        )
        answer = yield from self._ask(request)
        if answer is None:
            return True
        assert isinstance(answer, HeartbeatResponse), f"{answer!r} answers no heartbeat"
        code = ErrorCode.read(answer.error_code)
        if code is ErrorCode.NONE:
            self._tries = 0
            return True
        yield from self._take_error(code)
        return code.retriable

    def _leave_until_polled(
        self, pending: Change | None = None
    ) -> Generator[Steps, Received, None]:
        """Others have its partitions meanwhile."""
        state = self._state
        state.warn_of_leaving(self._settings.max_poll_interval_ms)
        yield from self.leave("it asks for no records within max.poll.interval.ms")
        state.generation = NO_GENERATION
        yield from self._change(state.lose(pending), even_if_empty=True)

    def leave(
        self, reason: str = "the consumer is being closed"
    ) -> Generator[Steps, Received, None]:
        """A member with a name of its own keeps its place."""
        state = self._state
        if not state.member_id or state.instance_id is not None:
            return
        member = LeaveGroupRequest.MemberIdentity(member_id=state.member_id, reason=reason)
        yield from self._ask(LeaveGroupRequest(group_id=state.group, members=[member]))
        state.member_id, state.generation = "", NO_GENERATION

    # what both do

    def _change(
        self, change: Change, *, even_if_empty: bool = False
    ) -> Generator[Steps, Received, None]:
        """Have it settled, showing meanwhile that we live."""
        if not change and not even_if_empty:
            return
        state = self._state
        state.is_settled = False
        state.own(change)
        while not state.is_settled and not state.is_leaving:
            received = yield Await(change, self._pause_ms)
            if state.is_settled or change.is_loss or state.generation < 0:
                continue
            if state.is_idle(received.now_ms, self._settings.max_poll_interval_ms):
                yield from self._leave_until_polled(change)
                return
            yield from self._ask_silently()

    def _ask_silently(self) -> Generator[Steps, Received, None]:
        state = self._state
        request = HeartbeatRequest(
            group_id=state.group,
            generation_id=state.generation,
            member_id=state.member_id,
            group_instance_id=state.instance_id,
        )
        yield from self._ask(request)

    def _ask(
        self, request: Request, limit_ms: int | None = None
    ) -> Generator[Steps, Received, Answer | None]:
        """None where the coordinator cannot be reached; by then some time has passed."""
        state = self._state
        deadline = self._context.deadline(
            f"looking for the coordinator of {state.group}", 0, 1 << 60
        )
        node_id = yield from find_coordinator(self._context, KeyType.GROUP, state.group, deadline)
        received = yield Asks((Ask(request, node_id, timeout_ms=limit_ms),))
        answer = received.answers[0]
        if isinstance(answer, MoldauError):
            forget_coordinator(self._context, KeyType.GROUP, state.group)
            yield Pause(self._context.backoff.wait_ms(self._tries))
            self._tries += 1
            return None
        return answer

    def _take_error(self, code: ErrorCode) -> Generator[Steps, Received, None]:
        """What it means for the membership; raised where no other round would help."""
        state = self._state
        if code in FORGOTTEN:
            if code is ErrorCode.UNKNOWN_MEMBER_ID:
                state.member_id = ""
            state.generation = NO_GENERATION
            yield from self._change(state.lose())
            return
        if code in ROUND:
            return
        if code is ErrorCode.FENCED_INSTANCE_ID:
            raise FencedError(f"member ({state.instance_id})")
        if not code.retriable:
            raise refusal(f"group {state.group}", code)
        if code.remedy is Remedy.REFIND:
            forget_coordinator(self._context, KeyType.GROUP, state.group)
        yield Pause(self._context.backoff.wait_ms(self._tries))
        self._tries += 1
