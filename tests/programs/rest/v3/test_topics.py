"""Topics, from their creation to their end."""

from __future__ import annotations


def test_a_topic_is_created_widened_listed_and_deleted(rest, made):
    names = [one["topic_name"] for one in rest.v3("GET", "topics")[1]["data"]]
    assert made in names
    status, body = rest.v3("PATCH", f"topics/{made}", {"partitions_count": 3})
    assert (status, body["partitions_count"]) == (200, 3)
    parts = rest.v3("GET", f"topics/{made}/partitions")[1]["data"]
    assert [part["partition_id"] for part in parts] == [0, 1, 2]
    leader = rest.get(parts[2]["leader"]["related"].removeprefix(rest.url))
    assert (leader["is_leader"], leader["is_in_sync"]) == (True, True)
    assert rest.v3("DELETE", f"topics/{made}") == (204, None)
    assert rest.code("GET", f"topics/{made}") == (404, 40403)


def test_a_topic_may_be_checked_without_being_created(rest, topic):
    body = {"topic_name": topic, "replicas_assignments": [{"partition_id": 0, "broker_ids": [1]}]}
    assert rest.v3("POST", "topics", {**body, "validate_only": True})[0] == 200
    assert rest.code("GET", f"topics/{topic}") == (404, 40403)
    assert (
        rest.v3("POST", "topics", {**body, "configs": [{"name": "segment.ms", "value": "9"}]})[0]
        == 201
    )
    assert rest.v3("GET", f"topics/{topic}/configs/segment.ms")[1]["value"] == "9"
