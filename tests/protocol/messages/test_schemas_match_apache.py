"""Judge 1: our declarations say of every field what the schemas in Apache Kafka's jars say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from moldau.protocol.messages.index import all_messages
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.versions import NONE, Versions
from tests.judges.crowded_libs import crowded_libs
from tests.judges.kafka_schemas import (
    FieldFacts,
    Schema,
    apache_facts,
    apache_schemas,
    versions_of,
)
from tests.protocol.messages.declared_facts import declared_facts
from tests.tidy.source import assert_none

pytestmark = pytest.mark.judge


@pytest.fixture(scope="module")
def apache(kafka_libs: Path) -> dict[str, Schema]:
    return apache_schemas(kafka_libs)


@pytest.fixture(scope="module")
def ours() -> dict[str, type[Message]]:
    return {message.__name__: message for message in all_messages()}


def test_we_declare_the_same_messages(apache, ours):
    assert sorted(ours) == sorted(apache)


def test_jars_that_lie_beside_kafkas_own_change_nothing(apache, kafka_libs, tmp_path):
    assert apache_schemas(crowded_libs(kafka_libs, tmp_path)) == apache


def test_messages_have_the_same_keys_versions_and_listeners(apache, ours):
    assert_none(
        f"{name}: {fact}: Apache has {theirs}, we have {mine}"
        for name in apache.keys() & ours.keys()
        for fact, theirs, mine in head_facts(apache[name], ours[name])
        if theirs != mine
    )


def head_facts(schema: Schema, message: type[Message]) -> Iterator[tuple[str, object, object]]:
    valid = versions_of(schema, "validVersions")
    flexible = versions_of(schema, "flexibleVersions").within(valid)
    is_unstable = schema.get("latestVersionUnstable", False)
    yield "type", schema["type"], message.KIND
    yield "key", schema.get("apiKey", -1), message.KEY
    yield "versions", valid, message.VERSIONS
    yield "flexible", flexible, message.FLEXIBLE.within(message.VERSIONS)
    yield "unstable", Versions(valid.high, valid.high) if is_unstable else NONE, message.UNSTABLE
    yield "listeners", sorted(schema.get("listeners", [])), sorted(message.LISTENERS)


def test_every_field_of_every_version_is_the_same(apache, ours):
    assert_none(
        complaint
        for name in apache.keys() & ours.keys()
        for complaint in differences(name, apache_facts(apache[name]), declared_facts(ours[name]))
    )


def differences(
    name: str, theirs: dict[str, FieldFacts], mine: dict[str, FieldFacts]
) -> Iterator[str]:
    yield from (f"{name}.{path} is missing" for path in theirs.keys() - mine.keys())
    yield from (f"{name}.{path} is in no version" for path in mine.keys() - theirs.keys())
    for path in theirs.keys() & mine.keys():
        for fact in (field.name for field in fields(FieldFacts)):
            expected, declared = getattr(theirs[path], fact), getattr(mine[path], fact)
            if (type(expected), expected) != (type(declared), declared):
                yield f"{name}.{path}: {fact}: Apache has {expected!s}, we have {declared!s}"


def test_fields_follow_each_other_in_the_same_order(apache, ours):
    assert_none(
        f"{name} v{version}: Apache has {expected}, we have {declared}"
        for name in apache.keys() & ours.keys()
        for version in ours[name].VERSIONS.each()
        if (expected := order(apache_facts(apache[name]), version))
        != (declared := order(declared_facts(ours[name]), version))
    )


def order(facts: dict[str, FieldFacts], version: int) -> list[str]:
    """Fields of one version without the tagged ones, whose order their tags decide."""
    return [
        path
        for path, field in facts.items()
        if version in field.versions and version not in field.tagged
    ]


@pytest.mark.parametrize("fact", [field.name for field in fields(FieldFacts)])
def test_a_difference_in_any_fact_is_reported(apache, fact):
    theirs = apache_facts(apache["FetchRequest"])
    mine = dict(theirs)
    mine["topics.topic"] = replace(theirs["topics.topic"])
    object.__setattr__(mine["topics.topic"], fact, "wrong")
    [complaint] = differences("FetchRequest", theirs, mine)
    assert complaint.startswith(f"FetchRequest.topics.topic: {fact}: Apache has ")


def test_a_missing_field_is_reported(apache):
    theirs = apache_facts(apache["FetchRequest"])
    mine = {path: facts for path, facts in theirs.items() if path != "rack_id"}
    assert list(differences("FetchRequest", theirs, mine)) == ["FetchRequest.rack_id is missing"]
