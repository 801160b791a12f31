"""etl reads what confluent-kafka's serializers wrote by schemas of our registry, of all types."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.etl import EtlSettings, run
from moldau.programs.pipelines.events import ORDER_COLUMNS, orders
from moldau.programs.pipelines.landing import TABLES
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from tests.interop.registry.running_registry import RunningRegistry
from tests.programs.pipelines.framed import by_avro, by_json_schema, by_protobuf
from tests.programs.pipelines.running import forget_last_commit, job_on, write_events

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]
theirs = pytest.importorskip("confluent_kafka.schema_registry")

COUNT = 200
SIZE_MAX = 4_096
UNKNOWN_ID = b"\0\x7f\xff\xff\xff"
SPOILT = {
    "empty": "empty",
    "large": "oversized",
    "text": "drifted",
    "early": "late",
    "cut": "unparsable",
    "unframed": "unparsable",
    "unknown": "unparsable",
}
"""What is wrong with each fourth record, in turn, and the reason that it is rejected for."""
WAYS = [way for each in SPOILT for way in (each, "", "", "")]


@pytest.fixture
def registry(topics, tmp_path):
    running = RunningRegistry(tmp_path, topics.bootstrap)
    yield running
    running.kill()


def written(topic, framed, framed_text, seed):
    """Each order, and its record in the frame of the registry, some of them spoilt."""
    from confluent_kafka.serialization import MessageField, SerializationContext

    about = SerializationContext(topic, MessageField.VALUE)
    elsewhere = SerializationContext(f"{topic}-elsewhere", MessageField.VALUE)
    drawn = orders(2 * COUNT, seed, time.time_ns() // 1_000_000)
    good = [event for event in drawn if not event.reason][:COUNT]
    for index, event in enumerate(good):
        order, way = json.loads(event.value or b""), WAYS[index % len(WAYS)]
        if way == "early":
            at = datetime.fromisoformat(order["ordered_at"]) - timedelta(hours=2)
            order["ordered_at"] = at.isoformat()
        if way == "large":
            order["note"] = "x" * SIZE_MAX
        value = framed(order, about)
        if way == "text":
            value = framed_text({**order, "amount": f"{order['amount']} EUR"}, elsewhere)
        spoilt = {
            "empty": None,
            "cut": value[:-2],
            "unframed": event.value,
            "unknown": UNKNOWN_ID + value[len(UNKNOWN_ID) :],
        }
        record = replace(event, value=spoilt.get(way, value), reason=SPOILT.get(way, ""))
        yield order, record


def write_all(topics, registry, seed):
    """A topic for each type: their names, the good orders, and letters by topic and reason."""
    good, letters, names = list[Any](), Counter[Any](), list[str]()
    with theirs.SchemaRegistryClient({"url": registry.url}) as schemas:
        for made in (by_avro, by_json_schema, by_protobuf):
            name = topics.make(2)
            found = list(written(name, made(schemas), made(schemas, "string"), seed))
            write_events(topics.bootstrap, name, [event for _, event in found])
            good += [(name, order) for order, event in found if not event.reason]
            letters.update((name, event.reason) for _, event in found if event.reason)
            names.append(name)
    assert set(letters) == {(name, reason) for name in names for reason in SPOILT.values()}
    return names, good, letters


def settings_of(registry):
    return EtlSettings(
        form="registry",
        registry=registry.url,
        schema=f"{ORDER_COLUMNS}, note string",
        size_max=SIZE_MAX,
        event_time="ordered_at",
        late_after_s=3_600,
        group_by="_topic,country",
        measure="amount",
        batch_size=COUNT,
    )


def sums_of(rows):
    """Of (topic, country, count, amount)."""
    counts, amounts = Counter[Any](), defaultdict[Any, float](float)
    for topic, country, count, amount in rows:
        counts[topic, country] += count
        amounts[topic, country] += amount
    return counts, amounts


def test_topics_of_all_three_types_become_the_tables_of_a_plain_model(
    spark, topics, registry, tmp_path, seed
):
    names, good, letters = write_all(topics, registry, seed)
    job = job_on(topics.bootstrap, ",".join(names), tmp_path, spark)
    run(job, settings_of(registry))
    forget_last_commit(tmp_path)
    run(job, settings_of(registry))

    bronze, silver, gold, dead = (
        rows_of(f"{tmp_path}/lake/{name}", {})
        for name in ("bronze", "silver", "gold", "dead_letters")
    )
    assert Counter(row["topic"] for row in bronze) == dict.fromkeys(names, COUNT)
    rows = {(row["_topic"], row["order_id"]): row for row in silver}
    assert len(silver) == len(rows) == len(good)
    for topic, order in good:
        row = rows[topic, order["order_id"]]
        wanted = dict.fromkeys(("coupon", "note")) | order
        wanted["ordered_at"] = datetime.fromisoformat(order["ordered_at"])
        assert {name: row[name] for name in wanted} == wanted
    assert Counter((row["topic"], row["reason"]) for row in dead) == letters
    sums = ((row["_topic"], row["country"], row["records"], row["amount"]) for row in gold)
    counts, amounts = sums_of(sums)
    wanted = sums_of((topic, order["country"], 1, order["amount"]) for topic, order in good)
    assert (counts, pytest.approx(amounts)) == wanted
    assert reconcile(str(tmp_path / "lake"), {}, [*TABLES]).differences == []


def test_a_registry_that_is_gone_is_one_sentence_and_no_records_fault(
    spark, topics, registry, tmp_path, seed
):
    names, _, _ = write_all(topics, registry, seed)
    registry.kill()
    with pytest.raises(PipelineError, match="registry") as refused:
        run(job_on(topics.bootstrap, names[0], tmp_path, spark), settings_of(registry))
    assert "\n" not in str(refused.value)
    assert rows_of(f"{tmp_path}/lake/dead_letters", {}) == []
