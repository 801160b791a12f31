"""Partitions, replicas, and moves."""

from __future__ import annotations


def test_a_partition_leads_to_its_replicas(rest, made):
    part = rest.v3("GET", f"topics/{made}/partitions/1")[1]
    assert (part["partition_id"], part["topic_name"]) == (1, made)
    replicas = rest.get(part["replicas"]["related"].removeprefix(rest.url))["data"]
    assert [(one["broker_id"], one["is_leader"]) for one in replicas] == [(1, True)]
    assert rest.code("GET", f"topics/{made}/partitions/1/replicas/2") == (404, 404)


def test_where_nothing_moves_there_are_no_moves(rest, made):
    assert rest.v3("GET", f"topics/{made}/partitions/-/reassignment")[1]["data"] == []
    assert rest.code("GET", f"topics/{made}/partitions/0/reassignment") == (404, 404)
    assert rest.code("GET", "topics/nope/partitions/-/reassignment") == (404, 40403)


def test_a_partition_says_where_it_begins_and_ends(rest, made):
    rest.reports(made, b'{"partition_id":1,"value":{"type":"STRING","data":"x"}}' * 3)
    place = f"topics/{made}/partitions/1/offset"
    status, found = rest.v3("GET", place)
    assert (status, found["earliest_offset"], found["latest_offset"]) == (200, 0, 3)
    assert found["kind"] == "KafkaPartitionWithOffsets"
    assert (found["topic_name"], found["partition_id"]) == (made, 1)
    assert found["metadata"]["resource_name"].endswith("/offset_type=earliest_and_latest")
    assert rest.get(found["metadata"]["self"].removeprefix(rest.url)) == found
    assert rest.code("GET", f"{place}?offset_type=latest") == (400, 400)
    assert rest.code("GET", f"topics/{made}/partitions/9/offset") == (404, 40402)
