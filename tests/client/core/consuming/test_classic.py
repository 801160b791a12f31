"""A membership in a classic group, as a play."""

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


class Play:
    """A membership that is told what its coordinator, broker 1, answers."""

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

    def hears(self, *answers: Any) -> Play:
        self.step = self._dialogue.send(Received(0, answers))
        return self

    def settles(self) -> Any:
        """The change that it wants."""
        assert isinstance(self.step, Await), self.step
        change = self.step.change
        self.state.is_settled = True
        self.hears()
        return change

    def rests(self) -> Play:
        assert isinstance(self.step, Pause), self.step
        return self.hears()

    def joins(self, generation: int = 1, leads: bool = False, members: Any = ()) -> Play:
        assert isinstance(self.request, JoinGroupRequest)
        return self.hears(
            JoinGroupResponse(
                error_code=0,
                generation_id=generation,
                protocol_name=self.assignor,
                leader="me" if leads else "other",
                member_id="me",
                members=list(members),
            )
        )

    def refused(self, code: ErrorCode) -> Play:
        answer = JoinGroupResponse(
            error_code=code, protocol_name="", leader="", member_id="named", members=[]
        )
        return self.hears(answer)

    def gets(self, *parts: TopicPartition) -> Play:
        assert isinstance(self.request, SyncGroupRequest)
        return self.hears(SyncGroupResponse(error_code=0, assignment=write_assignment(parts)))

    def beats(self, code: ErrorCode = ErrorCode.NONE) -> Play:
        assert isinstance(self.request, HeartbeatRequest)
        return self.hears(HeartbeatResponse(error_code=code))


def staying(assignor: str = "range") -> Play:
    play = Play(assignor).joins().gets(FIRST, SECOND)
    play.settles()
    return play


def test_a_member_gets_what_the_leader_says():
    play = Play().joins(3).gets(FIRST)
    change = play.settles()
    assert change.assigned == {FIRST}
    assert (play.state.member_id, play.state.generation) == ("me", 3)
    assert play.rests().beats().rests().request.generation_id == 3


def test_a_member_without_an_id_is_given_one_first():
    play = Play().refused(ErrorCode.MEMBER_ID_REQUIRED)
    assert play.request.member_id == "named"


def test_the_leader_shares_the_partitions():
    wants = write_subscription("range", {"t"}, [], -1, "")
    row = JoinGroupResponse.JoinGroupResponseMember
    members = [row(member_id=name, metadata=wants) for name in ("me", "you")]
    play = Play().joins(leads=True, members=members)
    play.hears(metadata({"t": {0: (1, 3), 1: (1, 3)}}))
    shares = {one.member_id: one.assignment for one in play.request.assignments}
    assert shares == {"me": write_assignment([FIRST]), "you": write_assignment([SECOND])}


def test_an_eager_member_gives_up_everything_before_it_joins_again():
    play = staying().rests().beats(ErrorCode.REBALANCE_IN_PROGRESS)
    assert play.settles().revoked == {FIRST, SECOND}
    assert play.joins(2).gets(FIRST).settles().assigned == {FIRST}


def test_a_cooperative_member_gives_up_only_what_moves_and_joins_once_more():
    play = staying("cooperative-sticky").rests().beats(ErrorCode.REBALANCE_IN_PROGRESS)
    play.joins(2).gets(FIRST)
    assert play.settles().revoked == {SECOND}
    assert not play.settles()
    assert isinstance(play.request, JoinGroupRequest)


def test_a_member_that_waits_for_its_user_shows_that_it_lives():
    play = Play().joins().gets(FIRST)
    play.hears()
    assert isinstance(play.request, HeartbeatRequest)
    play.beats()
    assert play.settles().assigned == {FIRST}


def test_a_member_that_was_forgotten_has_lost_what_it_had():
    play = staying().rests().beats(ErrorCode.UNKNOWN_MEMBER_ID)
    change = play.settles()
    assert (change.revoked, change.is_loss) == ({FIRST, SECOND}, True)
    assert play.request.member_id == ""


def test_a_member_that_is_not_polled_leaves_until_it_is():
    play = staying()
    play.state.polled_ms = LONG_AGO_MS
    assert isinstance(play.rests().request, LeaveGroupRequest)
    play.hears(LeaveGroupResponse(error_code=0, members=[]))
    assert play.hears().step.change.is_loss, "it does not join before it is polled"
    play.state.polled_ms = None
    change = play.settles()
    assert (change.revoked, change.is_loss) == ({FIRST, SECOND}, True)
    assert (play.request.member_id, play.state.owned) == ("", frozenset())


def test_a_member_that_was_never_polled_leaves_too():
    play = Play().joins().gets(FIRST)
    play.state.polled_ms = LONG_AGO_MS
    assert isinstance(play.hears().request, LeaveGroupRequest)
    play.hears(LeaveGroupResponse(error_code=0, members=[]))
    play.state.polled_ms = None
    assert play.settles().revoked == frozenset()
    assert isinstance(play.request, JoinGroupRequest)


def test_a_cooperative_member_that_left_meanwhile_is_assigned_nothing():
    play = staying("cooperative-sticky").rests().beats(ErrorCode.REBALANCE_IN_PROGRESS)
    play.joins(2).gets(FIRST)
    play.state.polled_ms = LONG_AGO_MS
    play.hears().hears(LeaveGroupResponse(error_code=0, members=[]))
    play.state.polled_ms = None
    change = play.settles()
    assert (change.revoked, change.is_loss) == ({FIRST, SECOND}, True)
    assert isinstance(play.request, JoinGroupRequest)


def test_a_member_looks_as_often_as_it_has_to_be_polled():
    play = Play(max_poll_interval_ms=500).joins().gets(FIRST)
    assert play.step.duration_ms == 500
    play.settles()
    assert play.step.duration_ms == 500


def test_a_coordinator_that_has_moved_is_looked_for():
    play = staying().rests().hears(UnreachableError("b1:9092", "gone"))
    assert isinstance(play.step, Pause)
    assert play.context.coordinators == {}


def test_another_subscription_is_another_round():
    play = staying()
    play.state.topics = frozenset({"u"})
    play.rests().settles()
    assert isinstance(play.request, JoinGroupRequest)


def test_a_member_that_leaves_says_so():
    play = staying()
    play.state.is_leaving = True
    assert isinstance(play.rests().request, LeaveGroupRequest)
    with pytest.raises(StopIteration):
        play.hears(LeaveGroupResponse(error_code=0, members=[]))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (ErrorCode.FENCED_INSTANCE_ID, FencedError),
        (ErrorCode.INCONSISTENT_GROUP_PROTOCOL, RefusedError),
    ],
)
def test_what_cannot_pass_ends_it(code, kind):
    with pytest.raises(kind):
        Play().refused(code)
