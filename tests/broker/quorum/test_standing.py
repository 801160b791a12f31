"""A follower asks its leader to write about it into the voter set."""

from __future__ import annotations

from random import Random
from typing import Any

from moldau.broker.quorum.effects import AskAddVoter, AskRemoveVoter, AskUpdateVoter
from moldau.broker.quorum.events import Started, VoterChangeAnswered
from moldau.broker.quorum.member import QuorumSettings
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.state_file import ElectionState
from moldau.broker.quorum.voters import VoterHistory, VoterSet
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.quorum.simulated_member import MY_ID, SECOND, voter, voters
from tests.simulation.quorum_log import MemoryLog

DISK, OTHER_DISK = b"d" * 16, b"o" * 16
ME = voter(MY_ID, DISK)
EPOCH = 3


class Following:
    """A controller that follows node 2, with the voters of the log."""

    def __init__(self, among: VoterSet, *, level: int = 1, auto_join: bool = True) -> None:
        self.settings = QuorumSettings(auto_join=auto_join)
        self.node: Any = QuorumNode(
            ME.key,
            MemoryLog(),
            VoterHistory(among, 0),
            Random(1),
            settings=self.settings,
            state=ElectionState(EPOCH, SECOND),
            kraft_version=level,
            own=ME,
        )
        self.node.step(Started(), 0)

    def asks(self, kind: type, now_ms: int | None = None) -> Any:
        """What of this kind it asks by itself after the first period."""
        at_ms = self.settings.fetch_timeout_ms - 1 if now_ms is None else now_ms
        self.node.role.deadline_ms = at_ms + 1_000_000
        effects = self.node.step(VoterChangeAnswered(0, False, ErrorCode.NONE), at_ms)
        return next((one for one in effects if isinstance(one, kind)), None)


def test_a_voter_whose_entry_is_not_true_asks_for_an_update_and_again_until_it_is():
    old = voter(MY_ID, DISK)
    moved = VoterSet([voter(SECOND), type(old)(old.key, {})])
    following = Following(moved)
    assert following.asks(AskUpdateVoter) is None
    period_ms = following.settings.fetch_timeout_ms
    assert following.asks(AskUpdateVoter, period_ms) == AskUpdateVoter(SECOND, EPOCH, ME)
    assert following.asks(AskUpdateVoter, period_ms + 1) is None
    assert following.asks(AskUpdateVoter, 2 * period_ms) == AskUpdateVoter(SECOND, EPOCH, ME)
    following.node.voter_history.add(1, VoterSet([voter(SECOND), ME]))
    assert following.asks(AskUpdateVoter, 3 * period_ms) is None


def test_a_configured_voter_sends_each_leader_once_where_it_is():
    following = Following(voters(MY_ID, SECOND), level=0)
    assert following.asks(AskUpdateVoter, 2000) == AskUpdateVoter(SECOND, EPOCH, ME)
    following.node.step(VoterChangeAnswered(EPOCH, True, ErrorCode.NONE), 2001)
    assert following.asks(AskUpdateVoter, 4000) is None
    following.node.become_follower(EPOCH + 1, SECOND, 4000)
    assert following.asks(AskUpdateVoter, 6000) == AskUpdateVoter(SECOND, EPOCH + 1, ME)


def test_a_controller_that_may_join_asks_to_be_added():
    assert Following(voters(SECOND)).asks(AskAddVoter, 2000) == AskAddVoter(SECOND, EPOCH, ME)
    assert Following(voters(SECOND), auto_join=False).asks(AskAddVoter, 2000) is None
    assert Following(voters(SECOND), level=0).asks(AskAddVoter, 2000) is None


def test_its_earlier_disk_is_removed_before_it_is_added():
    earlier = voter(MY_ID, OTHER_DISK)
    following = Following(VoterSet([voter(SECOND), earlier]))
    assert following.asks(AskAddVoter, 2000) is None
    asked = Following(VoterSet([voter(SECOND), earlier])).asks(AskRemoveVoter, 2000)
    assert asked == AskRemoveVoter(SECOND, EPOCH, earlier.key)


def test_a_node_that_never_votes_asks_for_nothing():
    following = Following(voters(SECOND))
    following.node.own = None
    assert following.asks(AskAddVoter, 2000) is None
    assert following.node.wake_at_ms < 1_000_000
