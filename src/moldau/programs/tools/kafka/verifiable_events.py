"""Events of the verifiable clients: one JSON object a line, as Kafka's system tests read them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from moldau.client import TopicPartition
from moldau.client.errors import (
    AccessDeniedError,
    ClientError,
    RecordTooLargeError,
    RefusedError,
    UnknownTopicError,
)
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import (
    Flag,
    Given,
    Takes,
    WrongUsageError,
    unrecognized,
)
from moldau.programs.tools.kafka.java_errors import JAVA_ERRORS, java_cause_of

__all__ = [
    "CONFIG",
    "MAX_MESSAGES",
    "TOPIC",
    "Events",
    "check_choice",
    "check_flags",
    "java_class_of",
    "only_one_config",
    "parts_shown",
    "text_of",
]

CLASSES: dict[type[ClientError], str] = {
    UnknownTopicError: "UnknownTopicOrPartitionException",
    RecordTooLargeError: "RecordTooLargeException",
}


class Events:
    """Writes them, each with the time it was written at."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __repr__(self) -> str:
        return "<Events>"

    def write(self, name: str, **fields: object) -> None:
        event = {"timestamp": self._world.clock.now_ms(), "name": name, **fields}
        line = json.dumps(event, separators=(",", ":"), ensure_ascii=False)
        self._world.out.write(line + "\n")
        self._world.out.flush()


def parts_shown(parts: Iterable[TopicPartition]) -> list[dict[str, object]]:
    return [{"topic": part.topic, "partition": part.partition} for part in sorted(parts)]


def text_of(data: bytes | None) -> str | None:
    """As StringDeserializer reads it."""
    return None if data is None else bytes(data).decode(errors="replace")


def java_class_of(error: ClientError) -> str:
    """What the error's class is called in Java."""
    if isinstance(error, RefusedError | AccessDeniedError):
        return java_cause_of(error).partition(": ")[0]
    return JAVA_ERRORS + CLASSES.get(type(error), "TimeoutException")


def check_choice(
    tool: str, given: Given, flag: Flag, choices: Iterable[str], *, ignore_case: bool = False
) -> str:
    """The value of a flag that takes one of these, or argparse4j's message."""
    found = given.text(flag.name) or ""
    if ignore_case:
        found = found.lower()
    if found not in choices:
        listed = ",".join(choices)
        raise WrongUsageError(
            f"{tool}: error: argument --{flag.name}: invalid choice: '{found}' (choose from "
            f"{{{listed}}})"
        )
    return found


def only_one_config(tool: str, given: Given, old: str, world: World) -> None:
    """`--command-config` and its old spelling exclude each other, and the old one is named so."""
    if given.has(old) and given.has("command-config"):
        raise WrongUsageError(
            f"{tool}: error: Options --{old} and --command-config are mutually exclusive."
        )
    if given.has(old):
        print(
            f"Option --{old} has been deprecated and will be removed in a future version. Use "
            "--command-config instead.",
            file=world.out,
        )


def check_flags(tool: str, given: Given, flags: Iterable[Flag]) -> None:
    """Numbers are numbers, nothing else stands there, and flags whose help says so are there."""
    flags = list(flags)
    for flag in flags:
        if flag.takes in (Takes.INT, Takes.LONG):
            given.number(flag.name)
    for word in given.others:
        raise WrongUsageError(unrecognized(word), of_argparse4j=unrecognized(word))
    for flag in flags:
        if flag.help.endswith("Required.") and not given.has(flag.name):
            raise WrongUsageError(f"{tool}: error: argument --{flag.name} is required")


TOPIC = Flag("topic", "The topic. Required.", Takes.TEXT, "TOPIC")
MAX_MESSAGES = Flag("max-messages", "End after so many; -1 for never.", Takes.INT, default="-1")
CONFIG = Flag("command-config", "A file with settings of the client.", Takes.TEXT, "FILE")
