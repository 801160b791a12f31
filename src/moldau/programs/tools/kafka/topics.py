"""`moldau topics`: topics are created, listed, described, altered and deleted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from moldau.client import admin as clients
from moldau.client.errors import RefusedError
from moldau.errors import DecodeError, MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, DRY_RUN, admin_of
from moldau.programs.tools.kafka.flags import (
    OUTPUT,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    only_one_of,
)
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.topic_descriptions import (
    HEADS,
    OVERRIDES,
    REPORTS,
    SELDOM,
    describe,
    lines_of,
    rows_of,
)
from moldau.programs.tools.kafka.topic_names import TopicFilter
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import parse_uuid, uuid_text

if TYPE_CHECKING:
    from moldau.client.admin import Admin, NewPartitions

__all__ = ["FLAGS", "run"]

FAILED = 1
FACTOR_MAX = 2**15 - 1
SIZE_LIMIT = "partition-size-limit-per-response"
ACTIONS = ("list", "describe", "create", "alter", "delete")
ACTIONS_WANTED = (
    "Command must include exactly one action: --list, --describe, --create, --alter or --delete"
)
COLLIDING = (
    "WARNING: Due to limitations in metric names, topics with a period ('.') or underscore ('_') "
    "could collide. To avoid issues it is best to use either, but not both."
)
CONFIGS_HINT = " (To alter topic configurations, the kafka-configs tool can be used.)"

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("list", "List all topics, or those that --topic matches."),
    Flag("describe", "Show partitions, leaders, replicas and settings of topics."),
    Flag("create", "Create a topic."),
    Flag("alter", "Give topics more partitions."),
    Flag("delete", "Delete topics and all their records."),
    Flag("topic", "A topic; but for --create also a regular expression.", Takes.TEXT, "TOPIC"),
    Flag("topic-id", "The id of the topic to describe.", Takes.TEXT, "ID"),
    Flag(
        "config", "A setting of a topic that is created; may be repeated.", Takes.TEXT, "KEY=VALUE"
    ),
    Flag("delete-config", "No longer supported.", Takes.TEXT, "KEY"),
    Flag("partitions", "How many a created or altered topic has in all.", Takes.INT),
    Flag("replication-factor", "How many replicas each partition gets.", Takes.INT),
    Flag(
        "replica-assignment",
        "Brokers of each partition, joined by colons: 1:2,2:3 is two partitions of two replicas.",
        Takes.TEXT,
        "BROKERS,...",
    ),
    Flag("if-exists", "Succeed if there is no such topic."),
    Flag("if-not-exists", "Succeed if the topic to be created is there."),
    Flag("exclude-internal", "Leave out Kafka's own topics."),
    Flag("topics-with-overrides", "Describe topics that have settings of their own."),
    Flag("under-replicated-partitions", "Describe partitions that lack replicas."),
    Flag("unavailable-partitions", "Describe partitions without a leader that lives."),
    Flag("under-min-isr-partitions", "Describe partitions with too few replicas in sync."),
    Flag("at-min-isr-partitions", "Describe partitions that may lose no further replica."),
    Flag(SIZE_LIMIT, "Partitions of one answer of a broker.", Takes.INT),
    DRY_RUN,
)


def run(given: Given, world: World) -> int:
    _check(given, world)
    admin = admin_of(given, world)
    try:
        with admin:
            given.number(SIZE_LIMIT)
            _act(given, admin, world)
    except MoldauError as error:
        print(f"Error while executing topic command : {cause_of(error)}", file=world.out)
        return FAILED
    return 0


def _check(given: Given, world: World) -> None:
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    if given.has("delete-config"):
        world.errors.write(
            "delete-config option is no longer supported and deprecated since version 4.0. "
            "The config will be fully removed in future releases.\n"
        )
    if not given.has("bootstrap-server"):
        raise WrongUsageError("--bootstrap-server must be specified")
    if action == "describe" and given.has("if-exists"):
        _check_described(given, world)
    if action not in ("list", "describe"):
        given.need("topic")
    if action == "alter":
        if given.has("config"):
            raise WrongUsageError(
                'Option combination "[[bootstrap-server], [config]]" can\'t be used with option '
                f'"[alter]"{CONFIGS_HINT}'
            )
        given.need("partitions")
    _check_together(given)


def _check_described(given: Given, world: World) -> None:
    if not given.has("topic") and not given.has("topic-id"):
        raise WrongUsageError("--topic or --topic-id is required to describe a topic")
    if given.has("topic") and given.has("topic-id"):
        print(
            "Only topic id will be used when both --topic and --topic-id are specified and topicId "
            "is not Uuid.ZERO_UUID",
            file=world.out,
        )


def _check_together(given: Given) -> None:
    """Flags that belong to some actions, beside others; in Kafka's order of messages."""
    _only_with(given, "config", ("alter", "create"))
    _only_with(given, "partitions", ("alter", "create"))
    _only_with(given, "replication-factor", ("create",))
    _only_with(given, "replica-assignment", ("create", "alter"))
    if given.has("create"):
        given.refuse("replica-assignment", ("partitions", "replication-factor"))
    for report in REPORTS:
        _only_with(given, report, ("describe",), OVERRIDES)
    _only_with(given, OVERRIDES, ("describe",))
    _only_with(given, "if-exists", ("alter", "delete", "describe"))
    _only_with(given, "if-not-exists", ("create",))
    _only_with(given, "exclude-internal", ("list", "describe"))
    _only_with(given, DRY_RUN.name, ("create", "alter", "delete"))


def _only_with(given: Given, flag: str, actions: Sequence[str], *others: str) -> None:
    given.refuse(flag, [*(one for one in ACTIONS if one not in actions), *others])


def _act(given: Given, admin: Admin, world: World) -> None:
    if given.has("create"):
        _create(given, admin, world)
    elif given.has("list"):
        topics = _chosen(given, admin)
        if not world.takes(["TOPIC"], [[name] for name in topics]):
            print("\n".join(topics), file=world.out)
    elif given.has("describe"):
        _describe(given, admin, world)
    else:
        _assignments(given.text("replica-assignment"))
        topics = _chosen(given, admin)
        _expect(given, topics, "Topic", given.text("topic"))
        if given.has("delete"):
            _delete(given, admin, topics, world)
        elif topics:
            _alter(given, admin, topics, world)


def _delete(given: Given, admin: Admin, topics: Sequence[str], world: World) -> None:
    if not given.has(DRY_RUN.name):
        admin.delete_topics(topics, retries_throttled=False).all()
        return
    for topic in topics:
        print(f"DRY RUN of deleting topic {topic} with all its records", file=world.out)


def _chosen(given: Given, admin: Admin) -> list[str]:
    """Names of topics, in order."""
    internal = not given.has("exclude-internal")
    topics = sorted(admin.list_topics(internal=internal))
    pattern = given.text("topic")
    return topics if pattern is None else TopicFilter(pattern).of(topics, internal=internal)


def _expect(given: Given, found: Sequence[str], what: str, asked: str | None) -> None:
    if asked and not found and not given.has("if-exists"):
        raise MoldauError(f"{what} '{asked}' does not exist as expected")


def _create(given: Given, admin: Admin, world: World) -> None:
    name, configs = given.text("topic") or "", _configs(given)
    assignments = _assignments(given.text("replica-assignment"))
    partitions, factor = given.number("partitions"), given.number("replication-factor")
    if not name:
        raise MoldauError("The given topic name '' cannot be represented in a request.")
    collides = bool(re.search(r"[._]", name))
    topic = clients.NewTopic(name, partitions, factor, configs, dict(enumerate(assignments)))
    is_dry = given.has(DRY_RUN.name)
    try:
        _check_counts(partitions, factor)
        admin.create_topics([topic], validate_only=is_dry, retries_throttled=False).all()
    except MoldauError as error:
        code = error.error if isinstance(error, RefusedError) else None
        if collides and code is not ErrorCode.INVALID_CONFIG:  # which Kafka's tool finds before
            print(COLLIDING, file=world.out)
        if code is ErrorCode.TOPIC_ALREADY_EXISTS and given.has("if-not-exists"):
            return
        raise
    if collides:
        print(COLLIDING, file=world.out)
    print(
        f"DRY RUN of creating topic {name}" if is_dry else f"Created topic {name}.", file=world.out
    )


def _check_counts(partitions: int | None, factor: int | None) -> None:
    if factor is not None and not 1 <= factor <= FACTOR_MAX:
        raise MoldauError(f"The replication factor must be between 1 and {FACTOR_MAX} inclusive")
    if partitions is not None and partitions < 1:
        raise MoldauError("The partitions must be greater than 0")


def _configs(given: Given) -> dict[str, str]:
    found = {}
    for text in given.texts("config"):
        pair = re.split(r"\s*=\s*", text)
        while pair and not pair[-1]:
            pair.pop()
        if len(pair) != 2:
            raise MoldauError(
                "requirement failed: Invalid topic config: all configs to be added must be in the "
                'format "key=val".'
            )
        found[pair[0].strip()] = pair[1].strip()
    return found


def _assignments(text: str | None) -> list[list[int]]:
    """Brokers by partition, of `1:2,2:3`."""
    rows: list[list[int]] = []
    text = (text or "").rstrip(",")
    for partition, part in enumerate(text.split(",") if text else ()):
        row = [_broker(broker.strip()) for broker in part.split(":")]
        twice = dict.fromkeys(broker for broker in row if row.count(broker) > 1)
        if twice:
            raise MoldauError(
                "Partition replica lists may not contain duplicate entries: "
                f"{','.join(map(str, twice))}"
            )
        rows.append(row)
        if len(row) != len(rows[0]):
            raise MoldauError(f"Partition {partition} has different replication factor: {row}")
    return rows


def _broker(text: str) -> int:
    if not text.lstrip("-").isdecimal():
        raise MoldauError(f'For input string: "{text}"')
    return int(text)


def _alter(given: Given, admin: Admin, topics: Sequence[str], world: World) -> None:
    total = given.number("partitions")
    assert total is not None, "it is needed"
    rows = _assignments(given.text("replica-assignment"))
    counts: dict[str, NewPartitions | int] = dict.fromkeys(topics, total)
    if rows:
        views = admin.describe_topics(topics).all()
        counts = {
            name: clients.NewPartitions(total, rows[len(view.partitions) :])
            for name, view in views.items()
        }
    is_dry = given.has(DRY_RUN.name)
    admin.create_partitions(counts, validate_only=is_dry, retries_throttled=False).all()
    for topic in topics if is_dry else ():
        print(f"DRY RUN of giving topic {topic} {total} partitions", file=world.out)


def _id(text: str) -> str:
    """The same, if it can be one."""
    try:
        return uuid_text(parse_uuid(text))
    except DecodeError:
        raise MoldauError(f"'{text}' is no topic id: it has to be 22 letters of base64") from None


def _describe(given: Given, admin: Admin, world: World) -> None:
    topic_id = given.text("topic-id")
    if topic_id is None:
        topics = _chosen(given, admin)
        _expect(given, topics, "Topic", given.text("topic"))
    else:
        topic_id = _id(topic_id)
        listed = admin.list_topics(internal=not given.has("exclude-internal")).values()
        topics = [one.name for one in listed if one.topic_id == topic_id]
        _expect(given, topics, "TopicId", topic_id)
    reports = {name for name in (*REPORTS, OVERRIDES) if given.has(name)}
    found = describe(admin, topics, reports)
    if world.takes(HEADS, rows_of(found), SELDOM):
        return
    for line in lines_of(found):
        print(line, file=world.out)
