"""The options of the format `moldau`: those of Spark's Kafka connector, with the same meaning.

Options come as strings with names in any case. They are read once, checked against each other, and
kept typed, so that everything behind here deals with decisions instead of strings.

Where a read starts and ends is a `Bound`: a word (`earliest`, `latest`), an offset for each
partition (in which -2 is earliest and -1 latest), or a time, for all partitions or for each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from moldau.client import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.spark.errors import OptionError

EARLIEST, LATEST = -2, -1
"""How offsets in JSON say the first and the last."""
WORDS = {"earliest": EARLIEST, "latest": LATEST}
TRUE, FALSE = "true", "false"
PREFIX = "kafka."
BOOTSTRAP = "kafka.bootstrap.servers"
ISOLATION = "kafka.isolation.level"
GROUP = "kafka.group.id"
ISOLATIONS = ("read_uncommitted", "read_committed")
CHOICES = ("assign", "subscribe", "subscribepattern")
REFUSED = {
    "kafka.auto.offset.reset": "say startingOffsets instead",
    "kafka.enable.auto.commit": "the query's checkpoint keeps its offsets",
    "kafka.key.deserializer": "keys come as bytes; cast the column",
    "kafka.value.deserializer": "values come as bytes; cast the column",
    "kafka.interceptor.classes": "there is no Java consumer to intercept",
    "topic": "topics to read are named by subscribe",
}
CLIENTS = f"settings of the Kafka client begin with {PREFIX!r}"
DURATION = re.compile(r"(\d+)\s*(ms|s|m|min|h|d|)")
MINUTE_MS = 60_000
DURATION_MS = {
    "ms": 1, "": 1, "s": 1_000, "m": MINUTE_MS, "min": MINUTE_MS, "h": 3_600_000, "d": 86_400_000
}  # fmt: skip


@dataclass(frozen=True)
class Bound:
    """Where a read starts or ends; one of the three is set."""

    word: int | None = None
    offsets: Mapping[TopicPartition, int] | None = None
    time_ms: int | None = None
    times_ms: Mapping[TopicPartition, int] | None = None


@dataclass(frozen=True)
class Subscription:
    """Which partitions are read; one of the three is set."""

    topics: tuple[str, ...] = ()
    pattern: str = ""
    parts: tuple[TopicPartition, ...] = ()


@dataclass(frozen=True)
class SourceOptions:
    """All options of a query about what it reads."""

    connection: Mapping[str, str]
    subscription: Subscription
    starting: Bound
    ending: Bound
    or_latest: bool = False
    """Where no record is as late as the time asked for: start at the end instead of failing."""
    fails_on_data_loss: bool = True
    max_per_trigger: int | None = None
    min_per_trigger: int | None = None
    max_delay_ms: int = 15 * MINUTE_MS
    min_partitions: int | None = None
    max_per_partition: int | None = None
    has_headers: bool = False
    isolation: str = ISOLATIONS[0]
    group: str = ""
    """Under which offsets are committed, instead of the query's name."""


NAMES = (
    "subscribe", "subscribePattern", "assign", "startingOffsets", "endingOffsets",
    "startingOffsetsByTimestamp", "endingOffsetsByTimestamp", "startingTimestamp",
    "endingTimestamp", "startingOffsetsByTimestampStrategy", "failOnDataLoss",
    "maxOffsetsPerTrigger", "minOffsetsPerTrigger", "maxTriggerDelay", "minPartitions",
    "maxRecordsPerPartition", "includeHeaders", "groupIdPrefix", "kafkaConsumer.pollTimeoutMs",
    "fetchOffset.numRetries", "fetchOffset.retryIntervalMs", "path",
)  # fmt: skip
"""The last four are taken for the sake of pipelines that set them, and change nothing here."""


def read_options(given: Mapping[str, str], *, streaming: bool) -> SourceOptions:
    """Typed options, or an OptionError that names what is wrong with them."""
    options = {name.lower(): value for name, value in given.items()}
    refuse_unknown(options, NAMES, REFUSED, "for reading topics")
    group, isolation = options.get(GROUP, ""), options.get(ISOLATION, ISOLATIONS[0])
    if isolation not in ISOLATIONS:
        raise OptionError(f"{ISOLATION} is {isolation!r}: say {' or '.join(ISOLATIONS)}")
    _refuse_least_above_most(options)
    return SourceOptions(
        connection=_connection_settings(options),
        subscription=_subscription(options),
        starting=_starting(options, streaming=streaming),
        ending=_ending(options, streaming=streaming),
        or_latest=_strategy(options),
        fails_on_data_loss=_flag(options, "failOnDataLoss", default=True),
        max_per_trigger=_count(options, "maxOffsetsPerTrigger"),
        min_per_trigger=_count(options, "minOffsetsPerTrigger"),
        max_delay_ms=_duration(options, "maxTriggerDelay", SourceOptions.max_delay_ms),
        min_partitions=_count(options, "minPartitions"),
        max_per_partition=_count(options, "maxRecordsPerPartition"),
        has_headers=_flag(options, "includeHeaders", default=False),
        isolation=isolation,
        group=group,
    )


def refuse_unknown(
    options: Mapping[str, str], names: Iterable[str], refused: Mapping[str, str], what: str
) -> None:
    """Return if each is one of these, or a setting of the client that may be set."""
    known = {name.lower(): name for name in names}
    for name in options:
        if name in refused:
            raise OptionError(f"{name} cannot be set: {refused[name]}")
        if name not in known and not name.startswith(PREFIX):
            near = get_close_matches(name, known, 1)
            raise OptionError(
                f"there is no option {name!r} {what}: "
                + (f"did you mean {known[near[0]]}?" if near else CLIENTS)
            )


def _refuse_least_above_most(options: Mapping[str, str]) -> None:
    least, most = _count(options, "minOffsetsPerTrigger"), _count(options, "maxOffsetsPerTrigger")
    if least is not None and most is not None and least > most:
        raise OptionError(
            f"minOffsetsPerTrigger, {least}, is above maxOffsetsPerTrigger, {most}: no batch could"
            " have both"
        )


def _connection_settings(options: Mapping[str, str]) -> dict[str, str]:
    if not options.get(BOOTSTRAP, "").strip():
        raise OptionError(f"{BOOTSTRAP} is missing: say HOST:PORT of at least one broker")
    prefix = options.get("groupidprefix", "moldau-spark")
    settings = {
        name.removeprefix(PREFIX): value
        for name, value in options.items()
        if name.startswith(PREFIX) and name not in (GROUP, ISOLATION)
    }
    return {"client.id": prefix, **settings}


# ── which partitions ───────────────────────────────────────────────────────────────────────────


def _subscription(options: Mapping[str, str]) -> Subscription:
    chosen = [name for name in CHOICES if options.get(name, "").strip()]
    if len(chosen) != 1:
        raise OptionError(
            "say exactly one of subscribe (topics with commas between them), subscribePattern (a"
            " regular expression) and assign (JSON such as"
            f' {{"topic": [0, 1]}}); {len(chosen)} of them are set'
        )
    return _SUBSCRIPTIONS[chosen[0]](options[chosen[0]].strip())


def _topics(value: str) -> Subscription:
    topics = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not topics:
        raise OptionError("subscribe names no topic: say topics with commas between them")
    return Subscription(topics=topics)


def _pattern(value: str) -> Subscription:
    try:
        re.compile(value)
    except re.error as wrong:
        raise OptionError(f"subscribePattern {value!r} is no regular expression: {wrong}") from None
    return Subscription(pattern=value)


def _assigned(value: str) -> Subscription:
    parts = []
    for topic, indexes in _json("assign", value, '{"topic": [0, 1]}').items():
        if not isinstance(indexes, list) or not all(_is_index(index) for index in indexes):
            raise OptionError(f"assign lists no partitions of {topic!r}: say such as [0, 1]")
        parts += [TopicPartition(topic, index) for index in indexes]
    if not parts:
        raise OptionError('assign names no partition: say JSON such as {"topic": [0, 1]}')
    return Subscription(parts=tuple(sorted(set(parts))))


_SUBSCRIPTIONS: dict[str, Callable[[str], Subscription]] = {
    "subscribe": _topics,
    "subscribepattern": _pattern,
    "assign": _assigned,
}


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


# ── where to start and to end ──────────────────────────────────────────────────────────────────


def _starting(options: Mapping[str, str], *, streaming: bool) -> Bound:
    default = LATEST if streaming else EARLIEST
    bound = _bound(options, "starting", default)
    if not streaming:
        _refuse_word(bound, LATEST, "startingOffsets", "a batch read would be empty")
    return bound


def _ending(options: Mapping[str, str], *, streaming: bool) -> Bound:
    if streaming:
        for name in ("endingoffsets", "endingtimestamp", "endingoffsetsbytimestamp"):
            if name in options:
                raise OptionError(f"{name} is for batch reads: a stream has no end")
    bound = _bound(options, "ending", LATEST)
    _refuse_word(bound, EARLIEST, "endingOffsets", "nothing would be read")
    return bound


def _refuse_word(bound: Bound, word: int, name: str, why: str) -> None:
    if bound.word == word or word in (bound.offsets or {}).values():
        given = next(text for text, value in WORDS.items() if value == word)
        raise OptionError(f"{name} cannot be {given} ({word}): {why}")


def _bound(options: Mapping[str, str], side: str, default: int) -> Bound:
    """One time for all goes before times for each, and these before offsets, as in Spark."""
    if time := options.get(f"{side}timestamp"):
        return Bound(time_ms=_milliseconds(f"{side}Timestamp", time))
    if times := options.get(f"{side}offsetsbytimestamp"):
        return Bound(times_ms=_by_partition(f"{side}OffsetsByTimestamp", times, least=0))
    value = options.get(f"{side}offsets", "").strip()
    if not value:
        return Bound(word=default)
    if value.lower() in WORDS:
        return Bound(word=WORDS[value.lower()])
    return Bound(offsets=_by_partition(f"{side}Offsets", value, least=EARLIEST))


def _by_partition(name: str, value: str, *, least: int) -> dict[TopicPartition, int]:
    example = '{"topic": {"0": 23, "1": -2}}'
    found = {}
    for topic, numbers in _json(name, value, example).items():
        for index, number in (numbers if isinstance(numbers, dict) else {"": None}).items():
            if not (index.isdecimal() and isinstance(number, int) and number >= least):
                raise OptionError(f"{name} is not understood at {topic!r}: say JSON like {example}")
            found[TopicPartition(topic, int(index))] = number
    return found


def _json(name: str, value: str, example: str) -> dict[str, Any]:
    try:
        read = json.loads(value)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise OptionError(f"{name} is {value!r}: say JSON like {example}")
    return read


def _strategy(options: Mapping[str, str]) -> bool:
    value = options.get("startingoffsetsbytimestampstrategy", "error").lower()
    if value not in ("error", "latest"):
        raise OptionError(f"startingOffsetsByTimestampStrategy is {value!r}: say error or latest")
    return value == "latest"


# ── single values ──────────────────────────────────────────────────────────────────────────────


def _flag(options: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = options.get(name.lower(), TRUE if default else FALSE).strip().lower()
    if value not in (TRUE, FALSE):
        raise OptionError(f"{name} is {value!r}: say true or false")
    return value == TRUE


def _count(options: Mapping[str, str], name: str) -> int | None:
    value = options.get(name.lower())
    if value is None:
        return None
    if not value.strip().isdecimal() or int(value) < 1:
        raise OptionError(f"{name} is {value!r}: say a number above 0")
    return int(value)


def _milliseconds(name: str, value: str) -> int:
    if not value.strip().isdecimal():
        raise OptionError(f"{name} is {value!r}: say milliseconds since 1970")
    return int(value)


def _duration(options: Mapping[str, str], name: str, default: int) -> int:
    value = options.get(name.lower())
    if value is None:
        return default
    found = DURATION.fullmatch(value.strip().lower())
    if found is None:
        raise OptionError(f"{name} is {value!r}: say a duration such as 500ms, 30s or 15m")
    return int(found[1]) * DURATION_MS[found[2]]
