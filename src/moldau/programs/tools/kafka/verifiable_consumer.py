"""`moldau verifiable-consumer`: a member of a group, whose every step is an event."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import ConsumerRecord, RebalanceListener, TopicPartition
from moldau.client.errors import ClientError
from moldau.platform.system.waiting import interrupted_when_terminated
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import AbsenceWarning
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, settings_file
from moldau.programs.tools.kafka.flags import Flag, Given, Takes
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.verifiable_events import (
    CONFIG,
    MAX_MESSAGES,
    TOPIC,
    Events,
    check_choice,
    check_flags,
    only_one_config,
    parts_shown,
    text_of,
)

if TYPE_CHECKING:
    from moldau.client import Consumer

__all__ = ["FLAGS", "run"]

TOOL = "verifiable-consumer"
POLL_S = 1.0
PROTOCOLS = ("classic", "consumer")
PROTOCOL = Flag(
    "group-protocol",
    "classic or consumer.",
    Takes.TEXT,
    "PROTOCOL",
    "classic",
    choices=PROTOCOLS,
)
RESET = Flag("reset-policy", "earliest, latest or none.", Takes.TEXT, "POLICY", "earliest")
RANGE = "org.apache.kafka.clients.consumer.RangeAssignor"

FLAGS = (
    BOOTSTRAP,
    TOPIC,
    Flag("group-id", "The group. Required.", Takes.TEXT, "GROUP"),
    PROTOCOL,
    Flag("group-remote-assignor", "The coordinator's assignor.", Takes.TEXT, "NAME"),
    Flag("group-instance-id", "The name of a static member.", Takes.TEXT, "ID"),
    MAX_MESSAGES,
    Flag("session-timeout", "Milliseconds; for the classic protocol.", Takes.INT, default="30000"),
    Flag("verbose", "An event for each record."),
    Flag("enable-autocommit", "Commit by itself, in the background."),
    RESET,
    Flag("assignment-strategy", "For the classic protocol.", Takes.TEXT, "CLASS", RANGE),
    CONFIG,
    Flag("consumer.config", "", Takes.TEXT, "FILE", instead="command-config"),
)


def run(given: Given, world: World) -> int:
    check_flags(TOOL, given, FLAGS)
    check_choice(TOOL, given, RESET, ("earliest", "latest", "none"))
    protocol = check_choice(TOOL, given, PROTOCOL, PROTOCOLS, ignore_case=True)
    only_one_config(TOOL, given, "consumer.config", world)
    with interrupted_when_terminated():
        _Reading(given, world).run(_settings(given, world, protocol))
    return 0


def _settings(given: Given, world: World, protocol: str) -> dict[str, object]:
    path = given.text("consumer.config") or given.text("command-config")
    settings = settings_file(world.files, path)
    settings |= {
        "group.protocol": protocol,
        "group.id": given.text("group-id"),
        "bootstrap.servers": given.text("bootstrap-server"),
        "enable.auto.commit": str(given.has("enable-autocommit")).lower(),
        "auto.offset.reset": given.text("reset-policy"),
    }
    if given.has("group-instance-id"):
        settings["group.instance.id"] = given.text("group-instance-id")
    if protocol == "classic":
        settings["session.timeout.ms"] = given.text("session-timeout")
        settings["partition.assignment.strategy"] = given.text("assignment-strategy")
    elif given.has("group-remote-assignor"):
        settings["group.remote.assignor"] = given.text("group-remote-assignor")
    return settings


class _Reading(RebalanceListener):
    """Reads and commits until there are enough, or until it is ended."""

    def __init__(self, given: Given, world: World) -> None:
        self._given = given
        self._world = world
        self._events = Events(world)
        self._most = given.number("max-messages") or 0
        self._count = 0

    def on_assigned(self, parts: Collection[TopicPartition]) -> None:
        self._events.write("partitions_assigned", partitions=parts_shown(parts))

    def on_revoked(self, parts: Collection[TopicPartition]) -> None:
        self._events.write("partitions_revoked", partitions=parts_shown(parts))

    def run(self, settings: dict[str, object]) -> None:
        consumer = clients.Consumer(settings)
        self._events.write("startup_complete")
        absence = AbsenceWarning(self._given.text("topic"), settings, self._world)
        ended = False
        try:
            consumer.subscribe(self._given.text("topic") or "", listener=self)
            while self._most < 0 or self._count < self._most:
                records = consumer.poll(POLL_S)
                if records:
                    self._take(consumer, records)
                elif not consumer.assignment():
                    absence.at_silence()
        except KeyboardInterrupt:
            ended = True
            self._events.write("shutdown_requested")
        finally:
            consumer.close()
            self._events.write("shutdown_complete")
            if not ended:
                self._events.write("shutdown_requested")

    def _take(self, consumer: Consumer, records: list[ConsumerRecord]) -> None:
        taken: dict[TopicPartition, list[ConsumerRecord]] = {}
        for record in records:
            if 0 <= self._most <= self._count:
                break
            self._count += 1
            taken.setdefault(TopicPartition(*record[:2]), []).append(record)
            if self._given.has("verbose"):
                self._show(record)
        self._events.write(
            "records_consumed",
            count=len(records),
            partitions=[
                {
                    "topic": part.topic,
                    "partition": part.partition,
                    "count": len(some),
                    "minOffset": some[0].offset,
                    "maxOffset": some[-1].offset,
                }
                for part, some in taken.items()
            ],
        )
        if not self._given.has("enable-autocommit"):
            self._commit(consumer, {part: some[-1].offset + 1 for part, some in taken.items()})

    def _show(self, record: ConsumerRecord) -> None:
        self._events.write(
            "record_data",
            key=text_of(record.key),
            value=text_of(record.value),
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
        )

    def _commit(self, consumer: Consumer, offsets: dict[TopicPartition, int]) -> None:
        shown = [
            {"topic": part.topic, "partition": part.partition, "offset": offset}
            for part, offset in offsets.items()
        ]
        try:
            consumer.commit(offsets)
        except ClientError as error:
            self._events.write(
                "offsets_committed", offsets=shown, error=cause_of(error), success=False
            )
        else:
            self._events.write("offsets_committed", offsets=shown, success=True)
