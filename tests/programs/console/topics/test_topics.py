"""Topics as a table, and one of them."""

from moldau.client.admin import PartitionView, TopicView
from moldau.programs.console.topics.topics import row_of


def test_a_row_counts_what_is_not_in_sync_and_what_has_no_leader():
    parts = (
        PartitionView(0, 1, 3, (1, 2), (1,)),
        PartitionView(1, None, 3, (2, 1), ()),
        PartitionView(2, 2, 3, (1, 2), (2, 1)),
    )
    assert row_of(TopicView("t", "id", False, parts)) == ["t", 3, 2, 0, 2, 1]


def test_a_topic_is_a_row_of_the_list_and_a_page(console, topic):
    console.send(topic, "one", "two")
    rows = console.get("/topics?fresh=true")["rows"]
    assert [topic, 1, 1, 0, 0, 0] in rows
    (part,) = console.get(f"/topics/{topic}")["partitions"]
    assert (part["start"], part["end"], part["isr"]) == (0, 2, [part["leader"]])
    assert part["bytes"] > 0


def test_a_topic_that_is_not_there_is_named(console):
    status, message = console.refusal("GET", "/topics/gone")
    assert status == 404
    assert "gone" in message


def test_producers_are_shown_by_partition(console, topic):
    console.send(topic, "one")
    (one,) = console.get(f"/topics/{topic}/producers")
    assert (one["partition"], one["last_sequence"], one["transaction_start"]) == (0, 0, None)


def test_of_many_partitions_the_first_topics_come_alone_and_then_all(console, topic):
    large = console.make("zz-large", 1_001)
    first = console.get("/topics?first=true&fresh=true")
    assert (first["has_more"], large in [row[0] for row in first["rows"]]) == (True, False)
    assert [topic, 1, 1, 0, 0, 0] in first["rows"]
    whole = console.get("/topics?fresh=true")
    console.run("delete-topic", topic=large)
    assert [large, 1_001, 1, 0, 0, 0] in whole["rows"]
    assert not whole["has_more"]
