"""Removing a member of a group, as where its client hangs and does not leave.

Kafka removes members of groups of consumers, by either protocol; others leave by themselves.
"""

from __future__ import annotations

from typing import Final

from moldau.client.admin import GroupType, MemberToRemove
from moldau.client.errors import RefusedError
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import admin_line
from moldau.programs.console.groups.groups import group_in_view
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of
from moldau.programs.rest.refusals import bad_request
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["MEMBER_KINDS"]

OF_CONSUMERS: Final = (GroupType.CLASSIC, GroupType.CONSUMER)
COMES_BACK: Final = "A client that still runs joins again: stop it, if it is to stay away."
BY_ITSELF: Final = "Kafka removes members of groups of consumers alone: stop the client"
GONE: Final = "Group {} has no member {}: its page has those that are there"
NOT_THERE: Final = (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.GROUP_ID_NOT_FOUND)


async def _remove(reach: Reach, given: Given) -> Change:
    name, wanted = field_of(given, "group", str), field_of(given, "member", str)
    _, kind, view = await group_in_view(reach, name)
    if kind not in OF_CONSUMERS:
        raise bad_request(f"Group {name} is of the kind {kind}. {BY_ITSELF}")
    found = next((one for one in view.members if one.member_id == wanted), None)
    if found is None:
        raise HttpError(404, GONE.format(name, wanted))
    static = found.instance_id or None
    member = MemberToRemove(static, "" if static else wanted)

    async def run() -> None:
        try:
            (await reach.admin.remove_members_from_consumer_group(name, [member])).all()
        except RefusedError as error:
            if error.error in NOT_THERE:
                raise HttpError(404, GONE.format(name, wanted)) from error
            raise

    call = f"remove_members_from_consumer_group({name!r}, [MemberToRemove{tuple(member)!r}])"
    shown = f"{found.client_id} at {found.host.removeprefix('/')}"
    return Change(
        admin_line(reach.settings, call, "from moldau.client.admin import MemberToRemove"),
        [Difference(f"member of {name}", f"{shown}, {wanted}", None)],
        run,
        warning=COMES_BACK,
    )


MEMBER_KINDS: Final = (
    Kind(
        "remove-member",
        "Remove a member of a group of consumers",
        {"group": "string", "member": "string"},
        _remove,
    ),
)
