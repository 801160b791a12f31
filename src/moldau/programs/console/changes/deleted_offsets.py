"""Deleting the offsets of a group in one topic, which it reads no more; those in others stay."""

from __future__ import annotations

from typing import Final

from moldau.client.admin import GroupType
from moldau.client.errors import RefusedError
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line
from moldau.programs.console.changes.groups import COMMANDS, restoring
from moldau.programs.console.groups.groups import committed_offsets, listed_group
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of
from moldau.programs.rest.refusals import bad_request
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["DELETED_OFFSETS_KINDS"]

IN_USE: Final = (ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC, ErrorCode.NON_EMPTY_GROUP)


async def _delete(reach: Reach, given: Given) -> Change:
    """Members may stay, as long as none of them subscribes to the topic."""
    name, topic = field_of(given, "group", str), field_of(given, "topic", str)
    kind = (await listed_group(reach, name)).type
    if kind is GroupType.STREAMS:
        raise bad_request(f"Group {name} is of Kafka Streams: its offsets go with the whole group")
    before = await committed_offsets(reach, name, kind)
    found = {part: offset for part, offset in sorted(before.items()) if part.topic == topic}
    if not found:
        raise HttpError(
            404, f"Group {name} has no offsets in {topic}; its page has the topics where it has"
        )
    admin = reach.admin

    async def run() -> None:
        try:
            if kind is GroupType.SHARE:
                (await admin.delete_share_group_offsets(name, [topic])).all()
            else:
                (await admin.delete_consumer_group_offsets(name, list(found))).all()
        except RefusedError as error:
            if error.error in IN_USE:
                text = f"Members of {name} still subscribe to {topic}: stop them first"
                raise HttpError(409, text) from error
            raise

    words = ("--delete-offsets", "--group", name, "--topic", topic)
    return Change(
        command_line(reach.settings, COMMANDS.get(kind, "consumer-groups"), *words),
        [Difference(str(part), str(offset), None) for part, offset in found.items()],
        run,
        warning="A consumer of this group begins anew in this topic.",
        undo=restoring(name, found, found, kind),
    )


DELETED_OFFSETS_KINDS: Final = (
    Kind(
        "delete-offsets",
        "Forget where a group is in a topic",
        {"group": "string", "topic": "string"},
        _delete,
    ),
)
