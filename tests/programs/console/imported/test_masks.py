"""Masks of kafbat UI and AKHQ, as they are taken over."""

from __future__ import annotations

import json

import pytest

from moldau.programs.console.values.masking import Masks
from moldau.programs.located_yaml import BadYamlError
from tests.programs.console.imported.reading import read, read_cluster

MASKING = """
masking:
  - type: REMOVE
    fields: [ "id" ]
    topic-keys-pattern: "visits-.*"
    topic-values-pattern: "visits-.*"
  - type: REPLACE
    fieldsNamePattern: "(company|shop)Name"
    replacement: "#name"
    topicValuesPattern: "orders-[a-z]+"
  - type: MASK
    fields: [ surname ]
    masking-chars-replacement: ["A", "a", "N", "_"]
    topicValuesPattern: people
  - type: MASK
    topicValuesPattern: secrets
  - {type: replace, fields: "iban, card", topicValuesPattern: "payments"}
"""
AKHQ = """
akhq:
  connections: {shop: {properties: {bootstrap.servers: "kafka-1:9092"}}}
  security:
    data-masking:
      mode: json_show_by_default
      json-mask-value: "#"
      json-filters:
        - {topic: people.all, keys: [name, address.street]}
"""
HIDDEN = {"id": 1, "shopName": "B", "surname": "Jo 7!", "iban": "D", "n": {"id": 2}}


def masked(topic, value, part="value", text=MASKING):
    _, cluster = read_cluster(text)
    found = Masks(cluster.masks).applied(topic, part, json.dumps(value).encode())
    return json.loads(found or b"")


@pytest.mark.parametrize(
    ("topic", "changed"),
    [
        ("visits-eu", {"id": None, "n": {}}),
        ("orders-eu", {"shopName": "#name"}),
        ("orders-EU", {}),
        ("people", {"surname": "Aa N_"}),
        ("payments", {"iban": "***DATA_MASKED***"}),
        ("my-visits-eu", {}),
        (
            "secrets",
            {"id": "n", "shopName": "X", "surname": "Xx n-", "iban": "X", "n": {"id": "n"}},
        ),
    ],
)
def test_masks_of_kafbat_hold_for_the_topics_and_fields_that_they_name(topic, changed):
    left = {name: one for name, one in (HIDDEN | changed).items() if one is not None}
    assert masked(topic, HIDDEN) == left


def test_keys_are_masked_where_a_mask_names_topics_for_keys():
    assert masked("visits-eu", HIDDEN, "key") == masked("visits-eu", HIDDEN)
    assert masked("orders-eu", HIDDEN, "key") == HIDDEN


def test_nothing_of_a_mask_is_left():
    found, cluster = read_cluster(MASKING)
    assert (found.unused, len(cluster.masks)) == ((), 6)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ("{topicValuesPattern: a}", "REMOVE, REPLACE or MASK, and not none"),
        ("{type: HASH, topicValuesPattern: a}", "and not HASH"),
        ("{type: REMOVE, fields: [a]}", "needs topicKeysPattern or topicValuesPattern"),
        ("{type: REMOVE, fields: [a], fieldsNamePattern: b, topicKeysPattern: c}", "not both"),
        ("{type: MASK, maskingCharsReplacement: [x], topicKeysPattern: c}", "four signs"),
        (r"{type: REMOVE, topicKeysPattern: '\p{Lower}+'}", "cannot be used here"),
        ("{type: REMOVE, topicKeysPattern: 'a('}", "cannot be used here"),
        ("{type: REMOVE, topicKeysPattern: '[a-z&&[^b]]'}", "a class in a class"),
    ],
)
def test_a_mask_that_cannot_be_held_is_refused_with_the_remedy(mask, message):
    with pytest.raises(BadYamlError, match=message):
        read_cluster(f"masking: [{mask}]")


def test_fields_that_akhq_hides_are_hidden():
    (cluster,) = read(AKHQ).clusters
    value = {"name": "Jo", "address": {"street": "S", "city": "C"}}
    masks = Masks(cluster.masks)
    found = masks.applied("people.all", "value", json.dumps(value).encode())
    assert json.loads(found or b"") == {"name": "#", "address": {"street": "#", "city": "C"}}
    assert (masks.hide_some("peopleXall"), cluster.hides_more) == (False, False)


@pytest.mark.parametrize("mode", ["mode: regex", "mode: json_mask_by_default", "filters: []"])
def test_masks_of_akhq_that_there_are_not_here_are_known(mode):
    (cluster,) = read(AKHQ.replace("mode: json_show_by_default", mode)).clusters
    assert cluster.hides_more
