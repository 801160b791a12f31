"""Questions about groups in every state, with every feature and protocol on and off.

A state is reached by its dialogue; then some requests that fit it more or less are drawn. A request
that changes who is in the group ends the round, and so does a difference: what comes after it would
only repeat it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.wire.schema import Message, Request
from tests.interop.differential.allowed import CLOSED, SILENT
from tests.interop.differential.dialogues import NO_ID, Step, ask_both
from tests.interop.differential.group_states import STATES, GroupState, absent
from tests.interop.differential.group_values import (
    APIS_OF_GROUPS,
    OWN_APIS,
    api_versions_of_groups,
    draws_for,
    name_of,
)
from tests.interop.differential.requests import random_request
from tests.interop.differential.running import Outcome, exchange
from tests.interop.differential.side import Side

QUESTIONS_A_STATE = 12
API_VERSIONS = tuple(api_versions_of_groups())
CHANGE_MEMBERS = {
    JoinGroupRequest,
    SyncGroupRequest,
    LeaveGroupRequest,
    ConsumerGroupHeartbeatRequest,
    ShareGroupHeartbeatRequest,
    StreamsGroupHeartbeatRequest,
}
NAME_MEMBERS = {JoinGroupRequest, ConsumerGroupHeartbeatRequest}
"""Where the coordinator makes up an id."""
UPGRADE, UNSAFE_DOWNGRADE = 1, 3
PATIENCE_S = 20
POLL_S = 0.05
FEATURES = ("group.version", "share.version", "streams.version", "transaction.version")

Levels = Mapping[str, int]


def ask_about_groups(
    sides: Sequence[Side], random: SeededRandom, count: int, outcome: Outcome
) -> None:
    """At least this many questions, in states that are drawn."""
    asked = sum(outcome.exchanges.values())
    for state in states(random):
        if sum(outcome.exchanges.values()) - asked >= count:
            return
        ask_in_state(sides, random, state, outcome)


def states(random: SeededRandom) -> Iterator[GroupState]:
    while True:
        build = random.choice(STATES)
        yield build(f"{build.__name__}-{random.randrange(2**31):08x}")


def ask_in_state(
    sides: Sequence[Side], random: SeededRandom, state: GroupState, outcome: Outcome
) -> None:
    ours, theirs = sides
    for step in state.dialogue:
        mine, other = ask_both(ours, theirs, step, outcome)
        if mine != other:
            return
    for number in range(QUESTIONS_A_STATE):
        step = drawn_step(random, state, number)
        mine, other = ask_both(ours, theirs, step, outcome)
        if mine != other or changes_members(step.request, mine):
            return


def api_versions_for(state: GroupState) -> Sequence[tuple[type[Message], int]]:
    """Those of the group's own protocol; of groups that are not there, all."""
    own = OWN_APIS.get(state.group.partition("_")[0], APIS_OF_GROUPS)
    return [(api, version) for api, version in API_VERSIONS if name_of(api) in own]


def drawn_step(random: SeededRandom, state: GroupState, number: int) -> Step:
    """A request that fits the state more or less; a member id that is made up for it is learnt.

    Lists show all groups, and what became of older ones is a matter of time: only this one counts.
    """
    api, version = random.choice(api_versions_for(state) if number % 2 else API_VERSIONS)
    request = random_request(random, api, version, draws_for(state, api))
    if api is ListGroupsRequest:
        return Step(request, version, shows=lambda answer: only_group(state.group, answer))
    if api not in NAME_MEMBERS or getattr(request, "member_id", None) != "":
        return Step(request, version)
    learns = {f"member:{state.group}:{number}": lambda answer: answer.member_id or NO_ID}
    return Step(request, version, learns)


def only_group(group: str, answer: Any) -> Any:
    """Of a list of groups, those whose names begin so."""
    return {
        **answer,
        "groups": [one for one in answer["groups"] if one["group_id"].startswith(group)],
    }


def changes_members(request: Request, answer: Any) -> bool:
    """Whether other members may be in the group now; a node that closed may have done anything."""
    if answer in (CLOSED, SILENT):
        return True
    return type(request) in CHANGE_MEMBERS and answer["error_code"] == 0


def ask_without_coordinator(sides: Sequence[Side], random: SeededRandom, outcome: Outcome) -> None:
    """Each API and version once, while there is no `__consumer_offsets`, and so no coordinator."""
    ours, theirs = sides
    for api, version in API_VERSIONS:
        if api is FindCoordinatorRequest:
            continue  # it has the topic made
        state = absent(f"early-{random.randrange(2**31):08x}")
        request = random_request(random, api, version, draws_for(state, api))
        exchange(ours, theirs, request, version, outcome)


# Features.


def levels_of(side: Side) -> dict[str, int]:
    asked = ApiVersionsRequest(client_software_name="judge", client_software_version="1")
    finalized = {one.name: one.max_version_level for one in side.ask(asked, 4).finalized_features}
    return {name: finalized.get(name, 0) for name in FEATURES}


@contextmanager
def at_levels(sides: Iterable[Side], levels: Levels) -> Iterator[None]:
    """Both with these levels of features; afterwards with the ones they had."""
    before = {side.name: levels_of(side) for side in sides}
    try:
        for side in sides:
            set_levels(side, levels)
        yield
    finally:
        for side in sides:
            set_levels(side, before[side.name])


def set_levels(side: Side, wanted: Levels) -> None:
    """Return when the broker has these levels."""
    key = UpdateFeaturesRequest.FeatureUpdateKey
    before = levels_of(side)
    changes = [
        key(
            feature=name,
            max_version_level=level,
            upgrade_type=UPGRADE if level > before[name] else UNSAFE_DOWNGRADE,
        )
        for name, level in wanted.items()
        if level != before[name]
    ]
    if not changes:
        return
    request = UpdateFeaturesRequest(timeout_ms=5000, feature_updates=changes, validate_only=False)
    answer = side.ask(request, 2)
    assert not answer.error_code, answer
    deadline = time.monotonic() + PATIENCE_S
    while {**before, **wanted} != (found := levels_of(side)):
        assert time.monotonic() < deadline, f"{side.name} stays at {found}"
        time.sleep(POLL_S)
