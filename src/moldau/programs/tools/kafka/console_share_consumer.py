"""`moldau console-share-consumer`: records of a topic are written, and acknowledged one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import AcknowledgeType, ConsumerRecord
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

if TYPE_CHECKING:
    from moldau.client import ShareConsumer

__all__ = ["FLAGS", "run"]

FAILED = 1
POLL_S = 0.5
IDLE_CLOSE_S = 3.0
"""How long it may take to leave the group where nothing was read."""
DEFAULT_GROUP = "console-share-consumer"
DEFAULT_FORMATTER = "org.apache.kafka.tools.consumer.DefaultMessageFormatter"

FLAGS = (
    BOOTSTRAP,
    Flag("topic", "The topic. Required.", Takes.TEXT, "TOPIC"),
    Flag("group", "The share group.", Takes.TEXT, "GROUP", DEFAULT_GROUP),
    Flag("max-messages", "End after so many records.", Takes.INT),
    Flag("timeout-ms", "End when no record comes for so long.", Takes.INT),
    Flag("release", "Release each record, so that it is delivered again."),
    Flag("reject", "Reject each record, so that it is never delivered again."),
    Flag("reject-message-on-error", "Reject a record that cannot be shown, and go on."),
    Flag("command-config", "A file with settings of the consumer.", Takes.TEXT, "FILE"),
    Flag("command-property", "A setting of the consumer; wins.", Takes.TEXT, "KEY=VALUE"),
    Flag("formatter", "The class that shows records.", Takes.TEXT, "CLASS", DEFAULT_FORMATTER),
    Flag("formatter-config", "A file with properties of the formatter.", Takes.TEXT, "FILE"),
    Flag(
        "formatter-property",
        "What is shown: print.delivery, print.timestamp, print.key, print.offset, print.epoch, "
        "print.partition, print.headers, print.value, and what console-consumer knows besides.",
        Takes.TEXT,
        "KEY=VALUE",
    ),
    Flag("key-deserializer", "The class that reads keys.", Takes.TEXT, "CLASS"),
    Flag("value-deserializer", "The class that reads values.", Takes.TEXT, "CLASS"),
    Flag("enable-systest-events", "Write shutdown_complete at the end."),
    Flag("consumer-property", "", Takes.TEXT, "KEY=VALUE", instead="command-property"),
    Flag("consumer-config", "", Takes.TEXT, "FILE", instead="command-config"),
    Flag("property", "", Takes.TEXT, "KEY=VALUE", instead="formatter-property"),
)


def run(given: Given, world: World) -> int:
    if not given.has("topic"):
        raise WrongUsageError("--topic is a required argument")
    given.need("bootstrap-server")
    only_one_spelling(given, FLAGS)
    if given.has("reject") and given.has("release"):
        raise WrongUsageError("At most one of --reject and --release may be specified.")
    warn_of_old_spellings(given, FLAGS, world)
    settings = _settings(given, world)
    absence = AbsenceWarning(given.text("topic"), settings, world)
    sharing = _Sharing(given, world, record_writer(given, world), absence)
    try:
        with clients.ShareConsumer(settings) as consumer:
            try:
                consumer.subscribe(given.text("topic") or "")
                sharing.read(consumer)
            finally:
                if not sharing.count:
                    consumer.close(IDLE_CLOSE_S)
        return 0
    except MoldauError as error:
        world.errors.write(f"moldau console-share-consumer: {cause_of(error)}\n")
        return FAILED
    finally:
        world.errors.write(f"Processed a total of {sharing.count} messages\n")
        if given.has("enable-systest-events"):
            print("shutdown_complete", file=world.out)


def _settings(given: Given, world: World) -> dict[str, object]:
    settings = settings_given(
        given,
        world,
        ("consumer-config", "command-config"),
        ("consumer-property", "command-property"),
    )
    groups = [str(settings["group.id"])] if "group.id" in settings else []
    if given.has("group"):
        groups.append(given.text("group") or "")
    if len(set(groups)) > 1:
        raise WrongUsageError(
            "The group ids provided in different places (directly using '--group', via "
            "'--consumer-property', or via '--consumer-config') do not match. Detected group ids: "
            + ", ".join(f"'{group}'" for group in groups)
        )
    settings["group.id"] = groups[0] if groups else DEFAULT_GROUP
    settings["bootstrap.servers"] = given.text("bootstrap-server")
    settings.setdefault("client.id", "console-share-consumer")
    settings["share.acknowledgement.mode"] = "explicit"
    return settings


class _Sharing:
    """Records are taken, written and acknowledged, up to the end that the flags name."""

    def __init__(
        self, given: Given, world: World, writer: LineWriter, absence: AbsenceWarning
    ) -> None:
        self._world = world
        self._writer = writer
        self._absence = absence
        most = given.number("max-messages")
        self._most = None if most is None or most < 0 else most
        timeout_ms = given.number("timeout-ms")
        self._timeout_s = None if timeout_ms is None or timeout_ms < 0 else timeout_ms / 1000
        self._rejects_bad = given.has("reject-message-on-error")
        self._kind = AcknowledgeType.ACCEPT
        if given.has("reject"):
            self._kind = AcknowledgeType.REJECT
        elif given.has("release"):
            self._kind = AcknowledgeType.RELEASE
        self.count = 0

    def read(self, consumer: ShareConsumer) -> None:
        """Until there are enough, or none came in time; the rest is released by closing."""
        wait = POLL_S if self._timeout_s is None else self._timeout_s
        while self._wants_more():
            records = consumer.poll(wait)
            if not records and not self.count:
                self._absence.at_silence()
            if not records and self._timeout_s is not None:
                self._world.errors.write("No record came in time (--timeout-ms).\n")
                return
            for record in records:
                if not self._wants_more():
                    break
                self.count += 1
                consumer.acknowledge(record, self._write(record))
            self._world.out.flush()

    def _wants_more(self) -> bool:
        return self._most is None or self.count < self._most

    def _write(self, record: ConsumerRecord) -> AcknowledgeType:
        try:
            write_bytes(self._world.out, self._writer.line(record))
        except MoldauError as error:
            if not self._rejects_bad:
                raise
            self._world.errors.write(f"Error processing message, rejecting this message: {error}\n")
            return AcknowledgeType.REJECT
        return self._kind
