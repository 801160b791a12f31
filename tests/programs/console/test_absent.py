"""What is asked for and is not there: each sentence names where to see what is."""

from __future__ import annotations

import pytest

PAGES = {
    "/brokers/77/configs": "There is no broker 77; the page Cluster has those that there are",
    "/brokers/x/configs": "There is no broker x; the page Cluster has those that there are",
    "/brokers/9999999999/loggers": "There is no broker 9999999999; the page Cluster has those",
    "/brokers/77/loggers": "No broker 77 serves: the page Cluster has those that do",
    "/topics/no-such": "There is no topic no-such; the page Topics has those that there are",
    "/topics/no-such/configs": "; the page Topics has those that there are",
    "/topics/no-such/groups": "There is no topic no-such; the page Topics has",
    "/topics/no-such/producers": "There is no topic no-such; the page Topics has",
    "/topics/no-such/records": "There is no topic no-such; the page Topics has",
    "/topics/no-such/tail": "There is no topic no-such; the page Topics has",
    "/topics/{}/records?partition=9": "has no partition 9; it has 0 to 0",
    "/topics/{}/tail?partition=9": "has no partition 9; it has 0 to 0",
    "/topics/{}/records/9/0/value": "has no partition 9; it has 0 to 0",
    "/topics/{}/records/x/0/value": "has no partition x; it has 0 to 0",
    "/topics/{}/records/0/99/value": "at the offset 99; it has some from 0 to below 1",
    "/topics/{}/records/0/0/key": "The record has no key; Messages shows what it has",
    "/groups/no-such": "There is no group no-such; the page Groups has those that there are",
    "/groups/no-such/behind": "There is no group no-such; the page Groups has",
    "/subjects/no-such": "; the page Schemas has those that there are",
    "/subjects/no-such/versions/1": "; the page Schemas has those that there are",
    "/moon": "/api/openapi.json names all that there is",
}
QUOTA = {"entity": {"user": "no-such"}, "values": {"producer_byte_rate": None}}
CHANGES = {
    "delete-topic": ({"topic": "no-such"}, "the page Topics has"),
    "add-partitions": ({"topic": "no-such", "partitions": 3}, "the page Topics has"),
    "delete-records": ({"topic": "no-such"}, "the page Topics has"),
    "delete-group": ({"group": "no-such"}, "the page Groups has"),
    "remove-member": ({"group": "no-such", "member": "x"}, "the page Groups has"),
    "delete-schema": ({"subject": "no-such"}, "the page Schemas has"),
    "set-quota": (QUOTA, "has no quota producer_byte_rate; the page Quotas has what is set"),
    "delete-user": ({"user": "no-such"}, "has no SCRAM-SHA-512: see the page Users"),
    "terminate-transaction": ({"id": "no-such"}, "the page Transactions has those that there are"),
}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_what_is_not_there_says_where_to_look(console, topic, path):
    console.send(topic, "a")
    link = path.format(topic)
    status, sentence = console.refusal("GET", link)
    assert status == 404, sentence
    assert PAGES[path] in sentence


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_of_what_is_not_there_is_refused_with_where_to_look(console, kind):
    body, remedy = CHANGES[kind]
    status, sentence = console.refusal("POST", f"/changes/{kind}/plan", body)
    assert status == 404, sentence
    assert remedy in sentence
