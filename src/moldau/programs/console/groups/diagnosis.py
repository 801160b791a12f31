"""Why a group is behind: rules over its facts, of which the first that applies is the answer.

Each names the likely cause and the remedy in one sentence. A consumer of Kafka commits every five
seconds unless it is set otherwise (`auto.commit.interval.ms`), so that what comes in within that
time is not yet behind, and a partition has stopped only after two such intervals without a commit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final, NamedTuple

from moldau.programs.console.groups.lag_facts import (
    MOVING,
    GroupFacts,
    PartitionFacts,
    rate_in,
    rate_out,
)

__all__ = ["Finding", "diagnose"]

COMMIT_SECONDS: Final = 5
STALL_SECONDS: Final = 2 * COMMIT_SECONDS
HOT: Final = 2
"""How many times the mean of its topic a hot partition receives."""


class Finding(NamedTuple):
    """The answer."""

    cause: str
    """A short name, for scripts."""
    sentence: str
    level: str = "bad"
    """good, warn or bad, as pages show it."""
    partitions: tuple[str, ...] = ()
    """Those that it is about."""


def diagnose(facts: GroupFacts) -> Finding:
    """The likeliest cause."""
    found = (rule(facts) for rule in RULES)
    return next(one for one in found if one is not None)


def _no_offsets(facts: GroupFacts) -> Finding | None:
    if facts.partitions:
        return None
    return Finding(
        "no_offsets",
        f"{facts.group} has neither offsets nor partitions: its members have to subscribe to a "
        "topic that exists, and to commit.",
        "warn",
    )


def _never_commits(facts: GroupFacts) -> Finding | None:
    """It owns a partition into which records come, and no offset of it was ever committed."""
    unknown = [one for one in facts.partitions if one.committed is None and one.rate_in]
    found = [one for one in unknown if not _is_busy_elsewhere(facts, one)]
    if not found or facts.seconds < STALL_SECONDS:
        return None
    return Finding(
        "never_commits",
        f"{found[0].client} reads {_names(found)} and has never committed an offset there, so "
        "that its lag is not known: let it commit (enable.auto.commit, or commit after the work).",
        "warn",
        _texts(found),
    )


def _nothing_behind(facts: GroupFacts) -> Finding | None:
    if any(map(_is_behind, facts.partitions)):
        return None
    if not facts.waiting:
        return Finding("nothing_behind", f"{facts.group} is not behind.", "good")
    return Finding(
        "nothing_behind",
        f"{facts.group} is not behind: {facts.waiting:,} records are what comes in between two "
        "commits.",
        "good",
    )


def _no_members(facts: GroupFacts) -> Finding | None:
    if facts.members:
        return None
    return Finding(
        "no_members",
        f"No member reads in {facts.group}, so that {facts.waiting:,} records wait: start a "
        f"consumer with group.id={facts.group}, or look into the log of the one that has ended.",
    )


def _rebalancing(facts: GroupFacts) -> Finding | None:
    if facts.state not in MOVING:
        return None
    return Finding(
        "rebalancing",
        f"{facts.group} is rebalancing ({facts.state}), during which partitions wait for their "
        "members: if it lasts, look for members that come and go (session.timeout.ms), or poll "
        "further apart than max.poll.interval.ms.",
        "warn",
    )


def _unowned(facts: GroupFacts) -> Finding | None:
    found = [one for one in facts.partitions if one.member is None and one.waiting]
    if not facts.has_owners or not found:
        return None
    return Finding(
        "no_owner",
        f"{_names(found)} has no owner although {facts.group} has {_count(facts.members)}, so that "
        f"{_waiting(found):,} records wait: let a member subscribe to {found[0].topic}, or delete "
        "the group's offsets of it if it is read no longer.",
        partitions=_texts(found),
    )


def _looking(facts: GroupFacts) -> Finding | None:
    """Too short, or not known since offsets were moved meanwhile, or came first."""
    is_known = any(one.rate_out is not None for one in facts.partitions if one.waiting)
    if is_known and facts.seconds >= STALL_SECONDS:
        return None
    return Finding(
        "looking",
        f"{facts.waiting:,} records wait, and it takes {STALL_SECONDS} seconds of samples to know "
        "why: look again in a moment.",
        "warn",
    )


def _stalled(facts: GroupFacts) -> Finding | None:
    """An owner that commits nothing where there is something to read."""
    still = [one for one in facts.partitions if one.waiting and one.rate_out == 0]
    found = [one for one in still if not _is_busy_elsewhere(facts, one)]
    if not found:
        return None
    most = max(found, key=lambda one: one.waiting)
    who = most.client or f"a member of {facts.group}"
    own = [one for one in found if one.member == most.member]
    return Finding(
        "stalled_owner",
        f"{who} has committed nothing of {_names(own)} for {facts.seconds:.0f} seconds while "
        f"{_waiting(own):,} records wait: look into its log for what it does with the record of "
        f"{most} at the offset {most.committed} (a call that hangs, an error that it tries again).",
        partitions=_texts(own),
    )


def _catching_up(facts: GroupFacts) -> Finding | None:
    gain = facts.rate_out - facts.rate_in
    if _growing(facts) or gain <= 0:
        return None
    return Finding(
        "catching_up",
        f"{facts.group} catches up: {facts.waiting:,} records wait, and at this pace it takes "
        f"about {_duration(facts.waiting / gain)}.",
        "warn",
    )


def _hot_partition(facts: GroupFacts) -> Finding | None:
    """It receives far more than the others of its topic, and has most of the lag."""
    one = max(facts.partitions, key=lambda one: one.waiting)
    others = [two for two in facts.partitions if two.topic == one.topic and two != one]
    if not others or not facts.has_owners or one.waiting * 2 <= facts.waiting:
        return None
    total = rate_in([one, *others])
    if not one.rate_in or one.rate_in < HOT * total / (len(others) + 1):
        return None
    return Finding(
        "hot_partition",
        f"{one} receives {one.rate_in / total:.0%} of the records of {one.topic} and holds "
        f"{one.waiting / facts.waiting:.0%} of the lag, and one member alone can read it: choose "
        "keys with more different values, since more members do not help.",
        partitions=(str(one),),
    )


def _slow_owner(facts: GroupFacts) -> Finding | None:
    """All that grows is of one member, and others keep up with what they have."""
    growing = _growing(facts)
    slow = {one.member for one in growing}
    others = {one.member for one in facts.partitions} - slow
    if not facts.has_owners or len(slow) != 1 or not others:
        return None
    own = facts.owned_by(growing[0].member)
    return Finding(
        "slow_owner",
        f"{growing[0].client} commits {_rate(rate_out(own))} of {_rate(rate_in(own))} records a "
        f"second of {_names(own)} while the other members keep up: look at its host and at what "
        "it waits for, or start more members so that it owns fewer partitions.",
        partitions=_texts(growing),
    )


def _too_few(facts: GroupFacts) -> Finding:
    """Work is spread, and is more than the members do."""
    rates = f"{_rate(facts.rate_out)} of {_rate(facts.rate_in)} records a second"
    each = facts.rate_out / facts.members
    needed = max(ceil(facts.rate_in / each) if each else 0, facts.members + 1)
    partitions = len(facts.partitions)
    if not facts.has_owners or needed <= partitions:
        return Finding(
            "too_few_members",
            f"{facts.group} reads {rates} with {_count(facts.members)}: start members until there "
            f"are {needed}, or make the work on a record faster.",
        )
    if facts.members < partitions:
        return Finding(
            "too_few_partitions",
            f"{facts.group} reads {rates} with {_count(facts.members)} and needs about {needed}, "
            f"but has {partitions} partitions: start {partitions - facts.members} more, and add "
            "partitions or make the work on a record faster.",
        )
    return Finding(
        "too_few_partitions",
        f"{facts.group} reads {rates} with {_count(facts.members)} for {partitions} partitions, so "
        "that more members would be idle: add partitions, or make the work on a record faster.",
    )


RULES: Final[tuple[Callable[[GroupFacts], Finding | None], ...]] = (
    _no_offsets,
    _never_commits,
    _nothing_behind,
    _no_members,
    _rebalancing,
    _unowned,
    _looking,
    _stalled,
    _catching_up,
    _hot_partition,
    _slow_owner,
    _too_few,
)


def _is_behind(part: PartitionFacts) -> bool:
    return part.waiting > COMMIT_SECONDS * (part.rate_in or 0)


def _is_busy_elsewhere(facts: GroupFacts, part: PartitionFacts) -> bool:
    """Its owner works on another partition, and is behind there: this one has to wait for it."""
    if part.member is None:
        return False
    return any(one.rate_out and _is_behind(one) for one in facts.owned_by(part.member))


def _growing(facts: GroupFacts) -> list[PartitionFacts]:
    return [
        one for one in facts.partitions if one.waiting and (one.rate_out or 0) < (one.rate_in or 0)
    ]


def _names(parts: list[PartitionFacts]) -> str:
    """The first, and how many more."""
    most = max(parts, key=lambda one: one.waiting)
    return str(most) if len(parts) == 1 else f"{most} and {len(parts) - 1} more"


def _texts(parts: list[PartitionFacts]) -> tuple[str, ...]:
    return tuple(map(str, parts))


def _waiting(parts: list[PartitionFacts]) -> int:
    return sum(one.waiting for one in parts)


def _count(members: int) -> str:
    return "1 member" if members == 1 else f"{members:,} members"


def _rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{ceil(seconds)} seconds"
    return f"{seconds / 60:,.0f} minutes" if seconds < 5400 else f"{seconds / 3600:,.1f} hours"
