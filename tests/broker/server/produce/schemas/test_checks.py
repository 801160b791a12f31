"""What a topic asks for, what is refused and why, and when the registry is asked again."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.settings import SCHEMA_VALIDATION
from moldau.broker.server.produce.schemas.checks import UNKNOWN_MAX, asked_batch
from moldau.config.topic import TopicSettings
from moldau.platform.slices import at_once
from moldau.protocol.records.builder import BatchBuilder
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.schemas.framing import VALUE_HEADER, id_frame
from tests.broker.server.data_broker import result_of
from tests.broker.server.produce.schema_world import (
    GOOD,
    ONE,
    PROTO,
    SEVEN,
    TWO,
    Registry,
    asking_topic,
    set_on,
    values,
)

WAIT_MS = 1000


def refusal(*given, key=None, registry=None, topic=None):
    """Of a batch for a topic with these settings, once what it names was looked up."""

    async def scenario(world):
        known = Registry() if registry is None else registry
        checks = await asking_topic(world, known, **(topic or {}))
        return await judged(world, checks, values(*given, key=key))

    return result_of(scenario)


async def judged(world, checks, batch):
    rules = checks.rules_of(world.metadata.image, "topic")
    asked = [asked_batch("topic", 0, rules, batch)]
    await checks.look_up(checks.unknown(asked))
    return at_once(checks.judged(asked)).get(("topic", 0))


PAYLOAD = {"schema_validation_payload": "true"}
KEYS = {"confluent_key_schema_validation": "true"}
BY_RECORD = {"confluent_value_subject_name_strategy": "RecordNameStrategy"}
NAMELESS = "the schema for topic has no name, and its subject needs one"
UNDER = "schema {} of the {} is not registered under {}"


@pytest.mark.parametrize(
    ("given", "key", "topic", "reasons"),
    [
        ((GOOD, None, GOOD), b"any", {}, None),
        ((GOOD, b"bare"), None, {}, {1: "the value names no schema"}),
        ((b"",), None, {}, {0: "the value names no schema"}),
        ((GOOD, SEVEN), None, {}, {1: "the registry has no schema 7, which the value names"}),
        ((TWO,), None, {}, {0: UNDER.format(2, "value", "topic-value")}),
        ((TWO,), None, BY_RECORD, None),
        ((ONE,), None, BY_RECORD, {0: NAMELESS}),
        ((GOOD,), GOOD, KEYS, None),
        ((GOOD,), TWO, KEYS, {0: UNDER.format(2, "key", "topic-key")}),
        ((GOOD + b"x",), None, {}, None),
        (
            (GOOD, GOOD + b"x"),
            None,
            PAYLOAD,
            {1: "the value cannot be read by its schema: 1 bytes are left behind the value"},
        ),
    ],
)  # fmt: skip
def test_each_wrong_record_is_named_with_its_reason(given, key, topic, reasons):
    error = refusal(*given, key=key, topic=topic)
    if reasons is None:
        assert error is None
    else:
        assert error.code == ErrorCode.INVALID_RECORD
        assert {one.batch_index: one.reason for one in error.record_errors} == reasons
        first = min(reasons)
        assert str(error) == f"record {first}: {reasons[first]}"


BILL = PROTO + b"\2\2"
LINE = PROTO + b"\4\0\2"
ORDER = PROTO + b"\0"
NO_MESSAGE = "the value names no message of schema 3: "


@pytest.mark.parametrize(
    ("strategy", "start"), [("RecordNameStrategy", ""), ("TopicRecordNameStrategy", "topic-")]
)
def test_each_record_of_protobuf_is_named_after_its_own_message(strategy, start):
    topic = {"confluent_value_subject_name_strategy": strategy}
    given = (BILL, ORDER, LINE, None, BILL, PROTO + b"\2\x12", PROTO)
    error = refusal(*given, topic=topic)
    assert {one.batch_index: one.reason for one in error.record_errors} == {
        1: UNDER.format(3, "value", f"{start}shop.Order"),
        5: f"{NO_MESSAGE}the schema has no message [9]",
        6: f"{NO_MESSAGE}the bytes end too early",
    }
    assert refusal(BILL, LINE, BILL, key=ORDER, topic=topic) is None


def test_a_header_may_name_the_message_and_each_topic_names_its_subject_without_it():
    by_record = {"confluent_value_subject_name_strategy": "RecordNameStrategy"}

    async def scenario(world):
        checks = await asking_topic(world, Registry(), **by_record)
        builder = BatchBuilder()
        for frame in (BILL, ORDER):
            builder.append(1000, None, b"bare", ((VALUE_HEADER, frame),))
        return await judged(world, checks, builder.build())

    error = result_of(scenario)
    assert [one.batch_index for one in error.record_errors] == [1]
    registry = Registry()
    registry.known[3] = registry.known[3]._replace(subjects=frozenset({"topic-value"}))
    assert refusal(ORDER, BILL, PROTO, registry=registry) is None


def test_a_message_that_was_registered_since_is_found_by_looking_again():
    async def scenario(world):
        registry = Registry()
        checks = await asking_topic(world, registry, **BY_RECORD)
        await judged(world, checks, values(BILL))
        known = registry.known[3]
        registry.known[3] = known._replace(subjects=known.subjects | {"shop.Order"})
        await world.tasks.sleep(WAIT_MS)
        right = await judged(world, checks, values(BILL))
        asked = list(registry.asked)
        return asked, right, await judged(world, checks, values(*[BILL] * 20, ORDER))

    assert result_of(scenario) == ([3], None, None)


def test_a_topic_that_asks_for_nothing_has_no_rules():
    async def scenario(world):
        checks = await asking_topic(world)
        set_on(world, "other", confluent_key_schema_validation="false", retention_ms="1")
        image = world.metadata.image
        before = checks.rules_of(image, "other"), checks.rules_of(image, "topic").key
        set_on(world, confluent_value_schema_validation="false")
        return before, checks.rules_of(world.metadata.image, "topic")

    assert result_of(scenario) == ((None, None), None)
    assert TopicSettings.KEYS.keys() >= SCHEMA_VALIDATION


def test_a_schema_is_asked_for_once_and_again_after_a_while_where_it_did_not_fit():
    async def scenario(world):
        registry = Registry()
        checks = await asking_topic(world, registry)
        for _ in range(3):
            await judged(world, checks, values(GOOD, SEVEN))
        asked = sorted(registry.asked)
        registry.known[7] = registry.known[1]
        await world.tasks.sleep(WAIT_MS)
        error = await judged(world, checks, values(GOOD, SEVEN))
        return asked, sorted(registry.asked), error

    assert result_of(scenario) == ([1, 7], [1, 7, 7], None)


def test_what_is_known_holds_while_the_registry_does_not_answer():
    async def scenario(world):
        registry = Registry()
        checks = await asking_topic(world, registry)
        await judged(world, checks, values(GOOD))
        registry.is_there = False
        await world.tasks.sleep(600 * WAIT_MS)
        known = await judged(world, checks, values(GOOD))
        return len(registry.asked), known, await judged(world, checks, values(GOOD, TWO))

    asked, known, unknown = result_of(scenario)
    assert (asked, known) == (2, None)
    assert (unknown.code, str(unknown)) == (
        ErrorCode.REQUEST_TIMED_OUT,
        "the registry has not answered what schema 2 is",
    )


def test_a_sender_of_random_ids_causes_a_bounded_number_of_questions():
    registry = Registry()
    error = refusal(*(id_frame(number) for number in range(1000, 2000)), registry=registry)
    assert len(registry.asked) == UNKNOWN_MAX
    assert error.code in (ErrorCode.REQUEST_TIMED_OUT, ErrorCode.INVALID_RECORD)


def test_a_broker_without_a_registry_names_the_setting():
    async def scenario(world):
        checks = await asking_topic(world, None)
        return await judged(world, checks, values(GOOD))

    error = result_of(scenario)
    assert error.code == ErrorCode.INVALID_CONFIG
    assert "set confluent.schema.registry.url" in str(error)
