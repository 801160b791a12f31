"""Creating, widening and deleting topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.client.admin import NewTopic
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line, topic_pattern
from moldau.programs.console.reach import Reach
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request

__all__ = ["TOPIC_KINDS", "created", "text_map"]


async def _create(reach: Reach, given: Given) -> Change:
    topic = NewTopic(
        field_of(given, "topic", str),
        maybe_field(given, "partitions", int),
        maybe_field(given, "replication_factor", int),
        text_map(given, "configs"),
    )
    return await created(reach, topic, [])


async def _add_partitions(reach: Reach, given: Given) -> Change:
    view = await reach.topic(field_of(given, "topic", str))
    total = field_of(given, "partitions", int)
    call = {view.name: total}
    (await reach.admin.create_partitions(call, validate_only=True)).all()

    async def run() -> None:
        (await reach.admin.create_partitions(call)).all()

    line = ("--alter", "--topic", topic_pattern(view.name), "--partitions", total)
    return Change(
        command_line(reach.settings, "topics", *line),
        [Difference(f"partitions of {view.name}", str(len(view.partitions)), str(total))],
        run,
        warning="Partitions cannot be taken away again, and keys may go to others than before.",
    )


async def _delete(reach: Reach, given: Given) -> Change:
    view = await reach.topic(field_of(given, "topic", str))

    async def run() -> None:
        (await reach.admin.delete_topics(view.name)).all()

    count = f"{len(view.partitions)} partitions"
    return Change(
        command_line(reach.settings, "topics", "--delete", "--topic", topic_pattern(view.name)),
        [Difference(f"topic {view.name}", count, None)],
        run,
        warning="All its records are deleted for good.",
    )


async def created(reach: Reach, topic: NewTopic, differences: list[Difference]) -> Change:
    """The cluster has judged it by then: what cannot be created is refused before it is shown."""
    found = await reach.admin.create_topics(topic, validate_only=True)
    made = found[topic.name]

    async def run() -> None:
        (await reach.admin.create_topics(topic)).all()

    words: list[object] = ["--create", "--topic", topic.name]
    if topic.partitions is not None:
        words += ["--partitions", topic.partitions]
    if topic.replication_factor is not None:
        words += ["--replication-factor", topic.replication_factor]
    for name, value in topic.configs.items():
        words += ["--config", f"{name}={value}"]
    differences = [
        *differences,
        Difference(f"topic {topic.name}", None, f"{made.partitions or 'default'} partitions"),
        Difference("replicas", None, str(made.replication_factor or "default")),
        *(Difference(name, None, value) for name, value in topic.configs.items()),
    ]
    command = command_line(reach.settings, "topics", *words)
    return Change(command, differences, run, undo=("delete-topic", {"topic": topic.name}))


def text_map(given: Given, name: str) -> Mapping[str, str]:
    """An object whose values are text."""
    found: dict[str, Any] = maybe_field(given, name, dict) or {}
    if not all(isinstance(value, str) for value in found.values()):
        raise bad_request(f"{name} has to be an object whose values are text")
    return found


TOPIC_KINDS: Final = (
    Kind(
        "create-topic",
        "Create a topic",
        {
            "topic": "string",
            "partitions": "integer?",
            "replication_factor": "integer?",
            "configs": "object?",
        },
        _create,
    ),
    Kind(
        "add-partitions",
        "Give a topic more partitions",
        {"topic": "string", "partitions": "integer"},
        _add_partitions,
    ),
    Kind("delete-topic", "Delete a topic", {"topic": "string"}, _delete),
)
