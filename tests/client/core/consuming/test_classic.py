"""A membership in a classic group, as a member."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.client.core.consuming.classic import classic_membership
from moldau.client.core.consuming.group_state import Await, GroupState
from moldau.client.core.consuming.protocol import write_assignment, write_subscription
from moldau.client.core.coordinators import KeyType
from moldau.client.core.dialogue import Asks, Pause, Received
from moldau.client.errors import FencedError, RefusedError, UnreachableError
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.messages.group.join_group import JoinGroupRequest, JoinGroupResponse
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest, LeaveGroupResponse
from moldau.protocol.messages.group.sync_group import SyncGroupRequest, SyncGroupResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata
from tests.client.conversation import context

FIRST, SECOND = TopicPartition("t", 0), TopicPartition("t", 1)
LONG_AGO_MS = -300_000


class Member:
    """A membership, and the responses of its coordinator, broker 1."""

    def __init__(self, assignor: str = "range", max_poll_interval_ms: int = 300_000) -> None:
        self.settings = ConsumerSettings.of(
            {
                "bootstrap.servers": "b1:9092",
                "group.id": "g",
                "partition.assignment.strategy": assignor,
                "max.poll.interval.ms": f"{max_poll_interval_ms}",
            }
        )
        self.context = context()
        self.context.coordinators[KeyType.GROUP, "g"] = 1
        self.state = GroupState("g", None)
        self.state.topics = frozenset({"t"})
        self.assignor = assignor
        self._dialogue = classic_membership(self.context, self.settings, self.state)
        self.step: Any = next(self._dialogue)

    @property
    def request(self) -> Any:
        assert isinstance(self.step, Asks), self.step
        return self.step.asks[0].request

    def receives(self, *answers: Any) -> Member:
        self.step = self._dialogue.send(Received(0, answers))
        return self

    def settles(self) -> Any:
        """The change that it wants."""
        assert isinstance(self.step, Await), self.step
        change = self.step.change
        self.state.is_settled = True
        self.receives()
        return change

    def rests(self) -> Member:
        assert isinstance(self.step, Pause), self.step
        return self.receives()

    def joins(self, generation: int = 1, leads: bool = False, members: Any = ()) -> Member:
        assert isinstance(self.request, JoinGroupRequest)
        return self.receives(
            JoinGroupResponse(
                error_code=0,
                generation_id=generation,
                protocol_name=self.assignor,
                leader="me" if leads else "other",
                member_id="me",
                members=list(members),
            )
        )

    def refused(self, code: ErrorCode) -> Member:
        answer = JoinGroupResponse(
            error_code=code, protocol_name="", leader="", member_id="named", members=[]
        )
        return self.receives(answer)

    def gets(self, *parts: TopicPartition) -> Member:
        assert isinstance(self.request, SyncGroupRequest)
        return self.receives(SyncGroupResponse(error_code=0, assignment=write_assignment(parts)))

    def beats(self, code: ErrorCode = ErrorCode.NONE) -> Member:
        assert isinstance(self.request, HeartbeatRequest)
        return self.receives(HeartbeatResponse(error_code=code))


def staying(assignor: str = "range") -> Member:
    member = Member(assignor).joins().gets(FIRST, SECOND)
    member.settles()
    return member


def test_a_member_gets_what_the_leader_says():
    member = Member().joins(3).gets(FIRST)
    change = member.settles()
    assert change.assigned == {FIRST}
    assert (member.state.member_id, member.state.generation) == ("me", 3)
    assert member.rests().beats().rests().request.generation_id == 3


def test_a_member_without_an_id_is_given_one_first():
    member = Member().refused(ErrorCode.MEMBER_ID_REQUIRED)
    assert member.request.member_id == "named"


def test_the_leader_shares_the_partitions():
    wants = write_subscription("range", {"t"}, [], -1, "")
    row = JoinGroupResponse.JoinGroupResponseMember
    members = [row(member_id=name, metadata=wants) for name in ("me", "you")]
    member = Member().joins(leads=True, members=members)
    member.receives(metadata({"t": {0: (1, 3), 1: (1, 3)}}))
    shares = {one.member_id: one.assignment for one in member.request.assignments}
    assert shares == {"me": write_assignment([FIRST]), "you": write_assignment([SECOND])}


def test_an_eager_member_gives_up_everything_before_it_joins_again():
    member = staying().rests().beats(ErrorCode.REBALANCE_IN_PROGRESS)
    assert member.settles().revoked == {FIRST, SECOND}
    assert member.joins(2).gets(FIRST).settles().assigned == {FIRST}


def test_a_cooperative_member_gives_up_only_what_moves_and_joins_once_more():
    member = staying("cooperative-sticky").rests().beats(ErrorCode.REBALANCE_IN_PROGRESS)
    member.joins(2).gets(FIRST)
    assert member.settles().revoked == {SECOND}
    assert not member.settles()
    assert isinstance(member.request, JoinGroupRequest)


def test_a_member_that_waits_for_its_user_shows_that_it_lives():
    member = Member().joins().gets(FIRST)
    member.receives()
    assert isinstance(member.request, HeartbeatRequest)
    member.beats()
    assert member.settles().assigned == {FIRST}


def test_a_member_that_was_forgotten_has_lost_what_it_had():
    member = staying().rests().beats(ErrorCode.UNKNOWN_MEMBER_ID)
    change = member.settles()
    assert (change.revoked, change.is_loss) == ({FIRST, SECOND}, True)
    assert member.request.member_id == ""


def test_a_member_that_is_not_polled_leaves_until_it_is():
    member = staying()
    member.state.polled_ms = LONG_AGO_MS
    assert isinstance(member.rests().request, LeaveGroupRequest)
    member.receives(LeaveGroupResponse(error_code=0, members=[]))
    assert member.receives().step.change.is_loss, "it does not join before it is polled"
    member.state.polled_ms = None
    change = member.settles()
    assert (change.revoked, change.is_loss) == ({FIRST, SECOND}, True)
    assert (member.request.member_id, member.state.owned) == ("", frozenset())


def test_a_member_that_was_never_polled_leaves_too():
    member = Member().joins().gets(FIRST)
    member.state.polled_ms = LONG_AGO_MS
    assert isinstance(member.receives().request, LeaveGroupRequest)
    member.receives(LeaveGroupResponse(error_code=0, members=[]))
    member.state.polled_ms = None
    assert member.settles().revoked == frozenset()
    assert isinstance(member.request, JoinGroupRequest)


def test_a_cooperative_member_that_left_meanwhile_is_assigned_nothing():
    member = staying("cooperative-sticky").rests().beats(ErrorCode.REBALANCE_IN_PROGRESS)
    member.joins(2).gets(FIRST)
    member.state.polled_ms = LONG_AGO_MS
    member.receives().receives(LeaveGroupResponse(error_code=0, members=[]))
    member.state.polled_ms = None
    change = member.settles()
    assert (change.revoked, change.is_loss) == ({FIRST, SECOND}, True)
    assert isinstance(member.request, JoinGroupRequest)


def test_a_member_looks_as_often_as_it_has_to_be_polled():
    member = Member(max_poll_interval_ms=500).joins().gets(FIRST)
    assert member.step.duration_ms == 500
    member.settles()
    assert member.step.duration_ms == 500


def test_a_coordinator_that_has_moved_is_looked_for():
    member = staying().rests().receives(UnreachableError("b1:9092", "gone"))
    assert isinstance(member.step, Pause)
    assert member.context.coordinators == {}


def test_another_subscription_is_another_round():
    member = staying()
    member.state.topics = frozenset({"u"})
    member.rests().settles()
    assert isinstance(member.request, JoinGroupRequest)


def test_a_member_that_leaves_says_so():
    member = staying()
    member.state.is_leaving = True
    assert isinstance(member.rests().request, LeaveGroupRequest)
    with pytest.raises(StopIteration):
        member.receives(LeaveGroupResponse(error_code=0, members=[]))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (ErrorCode.FENCED_INSTANCE_ID, FencedError),
        (ErrorCode.INCONSISTENT_GROUP_PROTOCOL, RefusedError),
    ],
)
def test_what_cannot_pass_ends_it(code, kind):
    with pytest.raises(kind):
        Member().refused(code)
