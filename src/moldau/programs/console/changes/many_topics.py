"""Deleting or emptying topics that were chosen from the list, all of them with one look."""

from __future__ import annotations

from typing import Final

from moldau.client import TopicPartition
from moldau.client.admin import TopicView
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line, topic_pattern
from moldau.programs.console.changes.records import END, delete_command
from moldau.programs.console.reach import Reach
from moldau.programs.rest.bodies import field_of
from moldau.programs.rest.refusals import bad_request

__all__ = ["MANY_TOPICS_KINDS"]

TOPICS_MAX: Final = 500
"""More than a person reads through before the change is made."""


async def _delete(reach: Reach, given: Given) -> Change:
    views = await _views(reach, given)
    names = [view.name for view in views]

    async def run() -> None:
        (await reach.admin.delete_topics(names)).all()

    return Change(
        "\n".join(
            command_line(reach.settings, "topics", "--delete", "--topic", topic_pattern(name))
            for name in names
        ),
        [Difference(f"topic {view.name}", _partitions(view), None) for view in views],
        run,
        warning="All their records are deleted for good.",
    )


async def _empty(reach: Reach, given: Given) -> Change:
    views = await _views(reach, given)
    parts = [TopicPartition(view.name, one.partition) for view in views for one in view.partitions]

    async def run() -> None:
        (await reach.admin.delete_records(dict.fromkeys(parts, None))).all()

    return Change(
        delete_command(reach, parts, END),
        [Difference(f"records of {view.name}", _partitions(view), "none") for view in views],
        run,
        warning="All their records are deleted for good; the topics themselves stay.",
    )


async def _views(reach: Reach, given: Given) -> list[TopicView]:
    wanted = field_of(given, "topics", list)
    if not 0 < len(wanted) <= TOPICS_MAX or not all(isinstance(name, str) for name in wanted):
        raise bad_request(f"topics are 1 to {TOPICS_MAX} names")
    return await reach.topics(sorted(set(wanted)))


def _partitions(view: TopicView) -> str:
    count = len(view.partitions)
    return "1 partition" if count == 1 else f"{count} partitions"


MANY_TOPICS_KINDS: Final = (
    Kind("delete-topics", "Delete topics", {"topics": "array"}, _delete),
    Kind("empty-topics", "Delete all records of topics", {"topics": "array"}, _empty),
)
