"""Groups: the list and one of them, while a consumer of librdkafka reads in it."""

import asyncio
import uuid
from types import SimpleNamespace
from typing import Any

from confluent_kafka import Consumer
from confluent_kafka import TopicPartition as Place

from moldau.client import TopicPartition
from moldau.client.admin import GroupType, Outcomes
from moldau.programs.console.groups.groups import PAGE_GROUPS, committed_in_pages

PART = TopicPartition("t", 0)


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
    assert console.refusal("GET", "/groups/gone") == (
        404,
        "There is no group gone; the page Groups has those that there are",
    )


def test_groups_of_a_topic_are_shown_with_their_offsets_in_it_alone(console, topic):
    console.send(topic, *"abc")
    group, other = f"group-{uuid.uuid4().hex[:8]}", console.make(f"{topic}.other")
    consumer = Consumer({"bootstrap.servers": console.bootstrap, "group.id": group})
    consumer.commit(offsets=[Place(topic, 0, 2), Place(other, 0, 0)], asynchronous=False)
    consumer.close()
    (found,) = console.get(f"/topics/{topic}/groups")
    assert (found["group"], found["lag"], found["partitions"]) == (group, 1, 1)


class Admin:
    """Whose groups have committed the numbers that are their names; one may not be seen."""

    def __init__(self):
        self.asked = []

    async def list_consumer_group_offsets(self, names):
        self.asked.append(len(names))
        return _outcomes(names, lambda number: SimpleNamespace(offset=number))

    async def list_share_group_offsets(self, names):
        return _outcomes(names, lambda number: SimpleNamespace(start_offset=number))


def _outcomes(names, committed):
    not_yet = TopicPartition("t", 1)
    found = {name: {PART: committed(int(name)), not_yet: None} for name in names if name != "7"}
    return Outcomes(found, {})


def test_offsets_of_many_groups_come_in_pages_and_in_order():
    reach: Any = SimpleNamespace(admin=Admin())
    numbers = range(2 * PAGE_GROUPS + 1)
    kinds = [GroupType.SHARE if number % 5 == 1 else GroupType.CONSUMER for number in numbers]
    groups: Any = [
        SimpleNamespace(group_id=str(number), type=kind)
        for number, kind in zip(numbers, kinds, strict=True)
    ]

    async def pages():
        return [page async for page in committed_in_pages(reach, groups)]

    found = [one for page in asyncio.run(pages()) for one in page.items()]
    assert found == [(str(number), {PART: number}) for number in numbers if number != 7]
    assert reach.admin.asked == [PAGE_GROUPS * 4 // 5, PAGE_GROUPS * 4 // 5, 1]
