"""What other nodes and tools ask a member of the quorum: requests become events and wait.

All of it is about one partition, `__cluster_metadata-0`; a request about any other is refused.
Fetches that find nothing wait until something was appended or committed, or their time is over.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from moldau.broker.quorum.effects import Answer, AnswerFetch
from moldau.broker.quorum.events import Event, Ticket
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.runtime.quorum import incoming_messages as messages
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.broker.runtime.quorum.outgoing_messages import Peers, Post
from moldau.errors import KafkaError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.platform.slices import Pace
from moldau.platform.wakeable_sleep import WakeableSleep
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.protocol.messages.quorum.begin_quorum_epoch import BeginQuorumEpochRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.messages.quorum.end_quorum_epoch import EndQuorumEpochRequest
from moldau.protocol.messages.quorum.fetch_snapshot import FetchSnapshotRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from moldau.protocol.messages.quorum.update_raft_voter import UpdateRaftVoterRequest
from moldau.protocol.messages.quorum.vote import VoteRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

DESCRIBING = "moldau.broker.runtime.quorum.describing"
VOTER_CHANGES = "moldau.broker.runtime.quorum.incoming_voter_changes"
"""Imported when the first of such requests comes."""
WAITING_MAX = 10_000
"""Requests under way; each broker and controller has a handful."""


class IncomingRequests:
    """The answers of one member."""

    def __init__(
        self,
        identity: Identity,
        node: QuorumNode,
        log: MetadataLog,
        tasks: Tasks,
        post: Post,
        clock: Clock,
        peers: Peers | None,
    ) -> None:
        self._identity = identity
        self._node = node
        self._log = log
        self._tasks = tasks
        self._post = post
        self._clock = clock
        self._peers = peers
        self._next_ticket = 0
        self._open: dict[Ticket, Promise[Answer | AnswerFetch]] = {}
        self._parked: list[WakeableSleep] = []

    # What the loop calls.

    def settle(self, effect: Answer | AnswerFetch) -> None:
        """The state machine has answered."""
        promise = self._open.pop(effect.ticket, None)
        if promise is not None:
            promise.keep(effect)

    def wake(self) -> None:
        """Something was appended or committed, or the role has changed."""
        parked, self._parked = self._parked, []
        for one in parked:
            one.wake()

    def close(self, error: KafkaError) -> None:
        """No answers come any more."""
        for promise in self._open.values():
            promise.fail(error)
        self._open.clear()
        self.wake()

    # What handlers call.

    async def answer(self, request: Message, version: int) -> Message:
        """The response, with errors in it where Kafka puts them, and with the leader's place."""
        response = await self._answer(request, version)
        field = response.DECLARED.get("node_endpoints")
        if field is not None and version in field.versions:
            self._place_leader(response)
        return response

    def _place_leader(self, response: Any) -> None:  # noqa: ANN401  # several have that field
        leader_id = self._node.leader_id
        leader = None if leader_id is None else self._node.voters.get(leader_id)
        ends = self._identity.endpoints if leader_id == self._identity.node_id else None
        if ends is None and leader is not None:
            ends = leader.endpoints
        for host, port in list((ends or {}).values())[:1]:
            response.node_endpoints = [
                type(response).NodeEndpoint(node_id=leader_id, host=host, port=port)
            ]

    async def _answer(self, request: Message, version: int) -> Message:
        match request:
            case VoteRequest() | BeginQuorumEpochRequest() | EndQuorumEpochRequest():
                return await self._answer_member(request)
            case FetchRequest():
                return await self._answer_fetch(request, version)
            case FetchSnapshotRequest():
                return self._answer_snapshot(request)
            case DescribeQuorumRequest():
                describing = import_module(DESCRIBING)
                work = describing.describe_quorum(request, version, self._node, self._clock)
                return await Pace(self._clock, self._tasks).run(work)
            case AddRaftVoterRequest() | RemoveRaftVoterRequest() | UpdateRaftVoterRequest():
                changing: Message = await import_module(VOTER_CHANGES).answer_change(
                    request, self._identity, self._node, self._peers, self._ask
                )
                return changing
            case _:
                raise AssertionError(f"{type(request).__name__} is no request to the quorum")

    async def _answer_member(
        self, request: VoteRequest | BeginQuorumEpochRequest | EndQuorumEpochRequest
    ) -> Message:
        error = messages.refusal(request, self._identity)
        if error is not None:
            return messages.refused(request, error)
        verdict = await self._ask(lambda ticket: messages.event_of(request, ticket))
        assert isinstance(verdict, Answer)
        return messages.member_response(request, verdict)

    async def _answer_fetch(self, request: FetchRequest, version: int) -> Message:
        error = messages.fetch_refusal(request, self._identity, version)
        if error is not None:
            return messages.fetch_refused(error)
        verdict = await self._ask(lambda ticket: messages.fetch_event(request, ticket, version))
        assert isinstance(verdict, AnswerFetch)
        if messages.finds_nothing(request, verdict, self._node, self._log):
            await self._park(request.max_wait_ms)
        return messages.fetch_response(request, version, verdict, self._node, self._log)

    def _answer_snapshot(self, request: FetchSnapshotRequest) -> Message:
        response = messages.snapshot_response(request, self._identity, self._node, self._log)
        event = messages.snapshot_event(request, response)
        if event is not None:
            self._post(event)
        return response

    async def _ask(self, event_for: Callable[[Ticket], Event]) -> Answer | AnswerFetch:
        if len(self._open) >= WAITING_MAX:
            raise KafkaError(ErrorCode.REQUEST_TIMED_OUT, "the quorum has too many open requests")
        self._next_ticket += 1
        ticket = self._next_ticket
        promise: Promise[Answer | AnswerFetch] = self._tasks.promise()
        self._open[ticket] = promise
        self._post(event_for(ticket))
        return await promise.wait()

    async def _park(self, wait_ms: int) -> None:
        parked = WakeableSleep(self._tasks)
        self._parked.append(parked)
        await parked.wait(wait_ms)
