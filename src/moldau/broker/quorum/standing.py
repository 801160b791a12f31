"""What a follower asks its leader to write about it into the voter set (KIP-853).

    voters in the log            a voter whose entry is not true any more asks for an update
    voters in the configuration  a voter sends its disk and its place once to each leader, which
                                 needs them on the day when the voters get into the log
    no voter, and auto-join      a controller asks to be added; where the set has another disk of
                                 the same node, that one is removed first

It asks from time to time, as long as there is something to ask for. The leader decides: a node that
is behind, or that comes while another change is under way, is refused and asks again.
"""

from __future__ import annotations

from moldau.broker.quorum.effects import AskAddVoter, AskRemoveVoter, AskUpdateVoter
from moldau.broker.quorum.events import VoterChangeAnswered
from moldau.broker.quorum.member import Member
from moldau.broker.quorum.roles import NEVER_MS, Follower
from moldau.protocol.wire.error_codes import ErrorCode

VoterChange = AskAddVoter | AskRemoveVoter | AskUpdateVoter


def missing_change(member: Member, role: Follower) -> VoterChange | None:
    """What the voter set should have of this node and has not."""
    own = member.own
    if own is None or member.stopping:
        return None
    entry = member.voters.get(own.key.node_id)
    if member.is_voter:
        is_known = role.has_updated_leader if member.kraft_version < 1 else entry == own
        return None if is_known else AskUpdateVoter(role.leader_id, role.epoch, own)
    if not member.settings.auto_join or member.kraft_version < 1:
        return None
    if entry is not None:
        return AskRemoveVoter(role.leader_id, role.epoch, entry.key)
    return AskAddVoter(role.leader_id, role.epoch, own)


def next_change_ms(member: Member, role: Follower) -> float:
    """When the leader is asked next."""
    return NEVER_MS if missing_change(member, role) is None else role.voter_change_at_ms


def ask_for_standing(member: Member, role: Follower, now_ms: int) -> None:
    """Ask, if there is something to ask for and it is time."""
    wanted = missing_change(member, role)
    if wanted is not None and role.voter_change_at_ms <= now_ms:
        role.voter_change_at_ms = now_ms + member.settings.fetch_timeout_ms
        member.effects.append(wanted)


def on_voter_change_answered(member: Member, event: VoterChangeAnswered, now_ms: int) -> None:
    """The leader has answered; what it has written comes with the log."""
    role = member.role
    is_mine = isinstance(role, Follower) and role.epoch == event.asked_epoch
    if is_mine and event.is_update and event.error is ErrorCode.NONE:
        assert isinstance(role, Follower)
        role.has_updated_leader = True
