"""Groups: the list and one of them, while a consumer of librdkafka reads in it."""

import uuid

from confluent_kafka import Consumer


def test_a_group_shows_members_offsets_and_lag(console, topic):
    console.send(topic, *"abc")
    group = f"group-{uuid.uuid4().hex[:8]}"
    consumer = Consumer(
        {
            "bootstrap.servers": console.bootstrap,
            "group.id": group,
            "client.id": "reader",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([topic])
    message = consumer.poll(60)
    assert message is not None
    (before,) = console.get(f"/groups/{group}")["offsets"]
    assert (before["committed"], before["end"], before["lag"]) == (None, 3, None)
    consumer.commit(message=message, asynchronous=False)
    found = console.get(f"/groups/{group}")
    (offset,) = found["offsets"]
    assert (offset["committed"], offset["end"], offset["lag"]) == (1, 3, 2)
    assert (offset["client"], found["members"][0]["assignment"]) == ("reader", [f"{topic}-0"])
    assert dict(console.get("/lags")["lags"])[group] == 2
    (reader,) = console.get(f"/topics/{topic}/groups")
    assert (reader["group"], reader["lag"]) == (group, 2)
    status, sentence = console.refusal("POST", "/changes/delete-group/plan", {"group": group})
    assert (status, "stop them first" in sentence) == (409, True)
    consumer.close()
    assert group in {one["group"] for one in console.get("/groups")["groups"]}


def test_a_group_that_is_not_there_is_named(console):
    assert console.refusal("GET", "/groups/gone") == (404, "There is no group gone")
