"""Topics that come and go are lines of the log."""

import logging

import pytest

from moldau.broker.metadata.image import Image
from moldau.broker.server.topic.changes import log_topic_changes
from tests.broker.coordinator.group.consumer.conversation import with_topics, without_topic


@pytest.fixture(autouse=True)
def at_info(caplog):
    caplog.set_level(logging.INFO, "moldau.broker.server.topic.changes")


def logged(delta):
    image = delta.build()
    log_topic_changes(delta, image)
    return image


def test_a_topic_comes_grows_and_goes(caplog):
    image = logged(with_topics(Image(), orders=3, bills=1))
    image = logged(with_topics(image, orders=5))
    logged(without_topic(image, "orders"))
    assert caplog.messages == [
        "Created topic bills with 1 partitions and replication factor 1",
        "Created topic orders with 3 partitions and replication factor 1",
        "Topic orders has 5 partitions now, and not 3",
        "Deleted topic orders with 5 partitions",
    ]


def test_other_changes_of_a_topic_are_no_line(caplog):
    image = with_topics(Image(), orders=3).build()
    logged(with_topics(image, orders=3))
    assert caplog.messages == []


def test_below_the_level_nothing_is_looked_at(caplog):
    caplog.set_level(logging.WARNING, "moldau.broker.server.topic.changes")
    logged(with_topics(Image(), orders=3))
    assert caplog.messages == []
