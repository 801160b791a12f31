"""`moldau verifiable-share-consumer`: a member of a share group, whose every step is an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import ConsumerRecord, TopicPartition
from moldau.platform.system.waiting import interrupted_when_terminated
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import AbsenceWarning
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of
from moldau.programs.tools.kafka.clusters import settings_file as settings_of_file
from moldau.programs.tools.kafka.flags import Flag, Given, Takes
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.verifiable_events import (
    MAX_MESSAGES,
    TOPIC,
    Events,
    check_choice,
    check_flags,
    text_of,
)

if TYPE_CHECKING:
    from moldau.client import ShareConsumer

__all__ = ["FLAGS", "run"]

TOOL = "verifiable-share-consumer"
POLL_S = 1.0
MODE = Flag(
    "acknowledgement-mode",
    "auto, sync or async: here all acknowledge before more is asked for.",
    Takes.TEXT,
    "MODE",
    "auto",
)
RESET = Flag("offset-reset-strategy", "earliest or latest.", Takes.TEXT, "STRATEGY", "")

FLAGS = (
    BOOTSTRAP,
    TOPIC,
    Flag("group-id", "The share group. Required.", Takes.TEXT, "GROUP"),
    MAX_MESSAGES,
    Flag("verbose", "An event for each record."),
    MODE,
    RESET,
    COMMAND_CONFIG,
)


def run(given: Given, world: World) -> int:
    check_flags(TOOL, given, FLAGS)
    check_choice(TOOL, given, MODE, ("auto", "sync", "async"))
    check_choice(TOOL, given, RESET, ("", "earliest", "latest"))
    settings = settings_of_file(world.files, given.text(COMMAND_CONFIG.name))
    settings["bootstrap.servers"] = given.text("bootstrap-server")
    settings["group.id"] = given.text("group-id")
    with interrupted_when_terminated():
        _Sharing(given, world).run(settings)
    return 0


class _Sharing:
    """Processes records until there are enough, or until it is ended."""

    def __init__(self, given: Given, world: World) -> None:
        self._given = given
        self._world = world
        self._events = Events(world)
        self._most = given.number("max-messages") or 0
        self._acknowledged = 0

    def run(self, settings: dict[str, object]) -> None:
        consumer = clients.ShareConsumer(settings)
        self._events.write("startup_complete")
        absence = AbsenceWarning(self._given.text("topic"), settings, self._world)
        try:
            self._set_reset()
            consumer.subscribe(self._given.text("topic") or "")
            while self._most < 0 or self._acknowledged < self._most:
                records = consumer.poll(POLL_S)
                if records:
                    self._take(consumer, records)
                elif not self._acknowledged:
                    absence.at_silence()
        except KeyboardInterrupt:
            pass  # this is how it is ended
        finally:
            consumer.close()
            self._events.write("shutdown_complete")

    def _set_reset(self) -> None:
        strategy = self._given.text(RESET.name)
        if not strategy:
            return
        group = self._given.text("group-id") or ""
        with admin_of(self._given, self._world) as admin:
            change = {("group", group): {"share.auto.offset.reset": strategy}}
            admin.incremental_alter_configs(change).all()
        self._events.write("offset_reset_strategy_set", offsetResetStrategy=strategy)

    def _take(self, consumer: ShareConsumer, records: list[ConsumerRecord]) -> None:
        offsets: dict[TopicPartition, list[int]] = {}
        for record in records:
            offsets.setdefault(TopicPartition(*record[:2]), []).append(record.offset)
            if self._given.has("verbose"):
                self._show(record)
        shown = {part: _shown(part, found) for part, found in offsets.items()}
        self._events.write("records_consumed", count=len(records), partitions=[*shown.values()])
        outcomes = consumer.commit()
        for part, found in offsets.items():
            fields = {"count": len(found), "partitions": [shown[part]]}
            error = outcomes.errors.get(part)
            if error is None:
                self._acknowledged += len(found)
                self._events.write("offsets_acknowledged", **fields, success=True)
            else:
                why = cause_of(error)
                self._events.write("offsets_acknowledged", **fields, error=why, success=False)

    def _show(self, record: ConsumerRecord) -> None:
        self._events.write(
            "record_data",
            key=text_of(record.key),
            value=text_of(record.value),
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
        )


def _shown(part: TopicPartition, offsets: list[int]) -> dict[str, object]:
    return {
        "topic": part.topic,
        "partition": part.partition,
        "count": len(offsets),
        "offsets": offsets,
    }
