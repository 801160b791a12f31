"""`moldau console-consumer`: records of topics are written to standard output."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import ConsumerRecord, TopicPartition
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import AbsenceWarning
from moldau.programs.tools.kafka.clusters import BOOTSTRAP
from moldau.programs.tools.kafka.console_flags import (
    only_one_spelling,
    record_writer,
    settings_given,
    warn_of_old_spellings,
)
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.record_lines import LineWriter
from moldau.programs.tools.kafka.streams import write_bytes
from moldau.protocol.wire.uuids import new_uuid

if TYPE_CHECKING:
    from moldau.client import Consumer

__all__ = ["FLAGS", "Reading", "run"]

FAILED = 1
POLL_S = 0.5
IDLE_CLOSE_S = 3.0
"""How long it may take to leave a group where nothing was read, and so nothing is committed."""
AT_ONCE = 500
GROUPS = 100_000
DEFAULT_FORMATTER = "org.apache.kafka.tools.consumer.DefaultMessageFormatter"
PLACES = ("earliest", "latest")

FLAGS = (
    BOOTSTRAP,
    Flag("topic", "The topic.", Takes.TEXT, "TOPIC"),
    Flag("include", "Topics by a regular expression, or several with commas.", Takes.TEXT, "REGEX"),
    Flag("group", "The group whose offsets are used and kept.", Takes.TEXT, "GROUP"),
    Flag("from-beginning", "Begin with the oldest record where no offset is kept."),
    Flag("partition", "Read this partition alone, without a group.", Takes.INT),
    Flag("offset", "Where in it: earliest, latest or a number.", Takes.TEXT, "OFFSET", "latest"),
    Flag("max-messages", "End after so many records.", Takes.INT),
    Flag("timeout-ms", "End when no record comes for so long.", Takes.LONG),
    Flag(
        "isolation-level",
        "read_committed or read_uncommitted.",
        Takes.TEXT,
        "LEVEL",
        "read_uncommitted",
        choices=("read_committed", "read_uncommitted"),
    ),
    Flag("skip-message-on-error", "Go on after a record that cannot be shown."),
    Flag("command-config", "A file with settings of the consumer.", Takes.TEXT, "FILE"),
    Flag("command-property", "A setting of the consumer; wins.", Takes.TEXT, "KEY=VALUE"),
    Flag("formatter", "The class that shows records.", Takes.TEXT, "CLASS", DEFAULT_FORMATTER),
    Flag("formatter-config", "A file with properties of the formatter.", Takes.TEXT, "FILE"),
    Flag(
        "formatter-property",
        "What is shown: print.timestamp, print.key, print.offset, print.epoch, print.partition, "
        "print.headers, print.value, key.separator, line.separator, headers.separator, "
        "null.literal, key.deserializer, value.deserializer, headers.deserializer.",
        Takes.TEXT,
        "KEY=VALUE",
    ),
    Flag("key-deserializer", "The class that reads keys.", Takes.TEXT, "CLASS"),
    Flag("value-deserializer", "The class that reads values.", Takes.TEXT, "CLASS"),
    Flag("enable-systest-events", "Write shutdown_complete at the end."),
    Flag("consumer-property", "", Takes.TEXT, "KEY=VALUE", instead="command-property"),
    Flag("consumer.config", "", Takes.TEXT, "FILE", instead="command-config"),
    Flag("property", "", Takes.TEXT, "KEY=VALUE", instead="formatter-property"),
)


def run(given: Given, world: World) -> int:
    _check(given)
    only_one_spelling(given, FLAGS)
    warn_of_old_spellings(given, FLAGS, world)
    settings = _settings(given, world)
    writer = record_writer(given, world)
    absence = AbsenceWarning(given.text("topic"), settings, world)
    reading = Reading(given, world, writer, absence)
    try:
        with clients.Consumer(settings) as consumer:
            try:
                _begin(given, consumer)
                return reading.read(consumer)
            finally:
                if not reading.count:
                    consumer.close(IDLE_CLOSE_S)
    except MoldauError as error:
        world.errors.write(f"moldau console-consumer: {cause_of(error)}\n")
        return FAILED
    finally:
        world.errors.write(f"Processed a total of {reading.count} messages\n")
        if given.has("enable-systest-events"):
            print("shutdown_complete", file=world.out)


def _check(given: Given) -> None:
    if given.has("topic") == given.has("include"):
        raise WrongUsageError(
            "Exactly one of the following arguments is required: [topic], [include]"
        )
    if given.has("partition"):
        if not given.has("topic"):
            raise WrongUsageError("The topic is required when partition is specified.")
        if given.has("from-beginning") and given.has("offset"):
            raise WrongUsageError("Options from-beginning and offset cannot be specified together.")
    elif given.has("offset"):
        raise WrongUsageError("The partition is required when offset is specified.")
    given.need("bootstrap-server")
    offset = (given.text("offset") or "").lower()
    if offset not in PLACES and not offset.isdecimal():
        raise WrongUsageError(
            f"The provided offset value '{given.text('offset')}' is incorrect. Valid values are "
            "'earliest', 'latest', or a non-negative long."
        )


def _settings(given: Given, world: World) -> dict[str, object]:
    settings = settings_given(
        given,
        world,
        ("consumer.config", "command-config"),
        ("consumer-property", "command-property"),
    )
    _choose_reset(given, settings)
    settings["bootstrap.servers"] = given.text("bootstrap-server")
    settings.setdefault("client.id", "console-consumer")
    if given.has("isolation-level") or "isolation.level" not in settings:
        settings["isolation.level"] = given.text("isolation-level")
    _choose_group(given, settings, world)
    return settings


def _choose_reset(given: Given, settings: dict[str, object]) -> None:
    from_beginning = given.has("from-beginning")
    found = settings.setdefault("auto.offset.reset", "earliest" if from_beginning else "latest")
    if from_beginning and found != "earliest":
        raise WrongUsageError(
            f"Can't simultaneously specify --from-beginning and 'auto.offset.reset={found}', "
            "please remove one option"
        )


def _choose_group(given: Given, settings: dict[str, object], world: World) -> None:
    groups = [str(settings["group.id"])] if "group.id" in settings else []
    if given.has("group"):
        groups.append(given.text("group") or "")
    if len(set(groups)) > 1:
        raise WrongUsageError(
            "The group ids provided in different places (directly using '--group', via "
            "'--consumer-property', or via '--consumer.config') do not match. Detected group ids: "
            + ", ".join(f"'{group}'" for group in reversed(groups))
        )
    if groups and given.has("partition"):
        raise WrongUsageError("Options group and partition cannot be specified together.")
    if not groups:
        number = _number(world)
        groups = [f"console-consumer-{number}"]
        settings.setdefault("enable.auto.commit", "false")
    settings["group.id"] = groups[0]


def _number(world: World) -> int:
    return int.from_bytes(new_uuid(world.random)[:4], "big") % GROUPS


def _pattern(include: str) -> re.Pattern[str]:
    try:
        return re.compile(f"(?:{include})$")
    except re.error as error:
        raise MoldauError(f"--include {include}: {error}") from None


def _begin(given: Given, consumer: Consumer) -> None:
    number = given.number("partition")
    if number is None:
        include = given.text("include")
        names = given.text("topic")
        consumer.subscribe(names if include is None else _pattern(include))
        return
    part = TopicPartition(given.text("topic") or "", number)
    consumer.assign([part])
    offset = (given.text("offset") or "").lower()
    if not given.has("offset") and given.has("from-beginning"):
        offset = "earliest"
    if offset == "earliest":
        consumer.seek_to_beginning([part])
    elif offset == "latest":
        consumer.seek_to_end([part])
    else:
        consumer.seek(part, int(offset))


class Reading:
    """Records are taken from a consumer and written, up to the end that the flags name."""

    def __init__(
        self, given: Given, world: World, writer: LineWriter, absence: AbsenceWarning
    ) -> None:
        self._world = world
        self._writer = writer
        self._absence = absence
        self._most = given.number("max-messages")
        timeout_ms = given.number("timeout-ms")
        self._timeout_s = None if timeout_ms is None or timeout_ms < 0 else timeout_ms / 1000
        self._skips = given.has("skip-message-on-error")
        self.count = 0

    def read(self, consumer: Consumer) -> int:
        """Until there are enough, or none came in time."""
        while self._most in (None, -1) or self.count < (self._most or 0):
            left = AT_ONCE if self._most in (None, -1) else (self._most or 0) - self.count
            wait = POLL_S if self._timeout_s is None else self._timeout_s
            records = consumer.consume(min(left, AT_ONCE), wait)
            if not records and not self.count:
                self._absence.at_silence()
            if not records and self._timeout_s is not None:
                self._world.errors.write("No record came in time (--timeout-ms).\n")
                return 0
            for record in records:
                self.count += 1
                self._write(record)
            self._world.out.flush()
        return 0

    def _write(self, record: ConsumerRecord) -> None:
        try:
            write_bytes(self._world.out, self._writer.line(record))
        except MoldauError as error:
            if not self._skips:
                raise
            self._world.errors.write(f"Error processing message, skipping this message: {error}\n")
