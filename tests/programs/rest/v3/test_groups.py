"""Groups with their members."""

from __future__ import annotations


def test_a_group_is_shown_with_its_members(rest, group):
    found = rest.v3("GET", f"consumer-groups/{group}")[1]
    assert (found["state"], found["type"], found["is_simple"]) == ("STABLE", "CLASSIC", False)
    members = rest.get(found["consumer"]["related"].removeprefix(rest.url))["data"]
    assert len(members) == 1
    assigned = rest.get(members[0]["assignments"]["related"].removeprefix(rest.url))["data"]
    assert [(one["topic_name"], one["partition_id"]) for one in assigned] == [
        (group, 0),
        (group, 1),
    ]
    assert rest.get(assigned[1]["metadata"]["self"].removeprefix(rest.url)) == assigned[1]
    listed = rest.v3("GET", "consumer-groups")[1]["data"]
    assert group in {one["consumer_group_id"] for one in listed}


def test_what_is_not_there_is_absent(rest, group):
    assert rest.code("GET", "consumer-groups/nope") == (404, 404)
    assert rest.code("GET", f"consumer-groups/{group}/consumers/nope") == (404, 404)
