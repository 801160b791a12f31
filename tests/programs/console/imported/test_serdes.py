"""Serdes of kafbat UI, as what is usual for a topic here."""

from __future__ import annotations

import pytest

from moldau.programs.console.formats.offered import Chosen
from moldau.programs.console.formats.usual import UsualFormats
from moldau.programs.located_yaml import BadYamlError
from tests.programs.console.imported.reading import read_cluster

SERDES = """
defaultKeySerde: Int32
defaultValueSerde: String
serde:
  - name: String
    topicKeysPattern: click-events|imp-events
  - name: Int64
    topicKeysPattern: ".*-events"
  - name: SchemaRegistry
    topicValuesPattern: click-events|imp-events
  - name: Marks
    className: io.kafbat.ui.serdes.builtin.HexSerde
    properties: {uppercase: "false", delimiter: " "}
    topicValuesPattern: "marks"
  - name: ProtobufFile
    properties: {protobufFilesDir: /protos, protobufMessageName: shop.Order}
    topicValuesPattern: "orders.*"
  - name: Own
    className: shop.OwnSerde
    filePath: /serdes/own.jar
    topicKeysPattern: "own.*"
  - name: UUIDBinary
    topicValuesPattern: "o.*"
"""


def usual(topic, text=SERDES, chosen=None):
    _, cluster = read_cluster(text)
    return tuple(UsualFormats(tuple(cluster.usual)).of(topic, chosen or Chosen()))


@pytest.mark.parametrize(
    ("topic", "key", "value"),
    [
        ("click-events", None, None),
        ("shop-events", "int64", None),
        ("marks", "int32", "hex"),
        ("orders-eu", "int32", None),
        ("others", "int32", "uuid"),
        ("own", None, "uuid"),
    ],
)
def test_the_first_serde_of_a_topic_decides_and_then_the_default(topic, key, value):
    assert usual(topic) == (key, value)


def test_what_a_reader_chooses_goes_before_what_is_usual():
    assert usual("marks", chosen=Chosen("hex", None)) == ("hex", "hex")


def test_a_serde_without_patterns_is_for_all_topics():
    assert usual("any", "serde: [{name: Base64}]") == ("base64", "base64")


def test_serdes_without_a_counterpart_are_named():
    found, _ = read_cluster(SERDES)
    assert found.unused == (
        "kafka.clusters[0].serde[3].properties.uppercase",
        "kafka.clusters[0].serde[4] (ProtobufFile)",
        "kafka.clusters[0].serde[5] (Own)",
    )


@pytest.mark.parametrize(
    ("serde", "key"),
    [
        ("{name: String, properties: {encoding: UTF-8}}", None),
        ("{name: String, properties: {encoding: UTF-16}}", " (String)"),
        ("{name: UUIDBinary, properties: {mostSignificantBitsFirst: false}}", " (UUIDBinary)"),
        ("{name: SchemaRegistry, properties: {url: 'http://other:8081'}}", " (SchemaRegistry)"),
        ("{name: SchemaRegistry, properties: {showNullValues: true}}", ".properties.showNullValu"),
    ],
)
def test_properties_that_change_what_is_read_are_named(serde, key):
    found, _ = read_cluster(f"serde: [{serde}]")
    named = [] if key is None else [f"kafka.clusters[0].serde[0]{key}"]
    assert [one[: len(wanted)] for one, wanted in zip(found.unused, named, strict=True)] == named


def test_a_default_that_is_not_known_is_named():
    found, _ = read_cluster("defaultKeySerde: Ours")
    assert found.unused == ("kafka.clusters[0].defaultKeySerde (Ours)",)


def test_a_serde_without_a_name_is_refused():
    with pytest.raises(BadYamlError, match="a serde needs a name"):
        read_cluster("serde: [{topicKeysPattern: a}]")
