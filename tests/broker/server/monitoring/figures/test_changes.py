"""Changes of the metadata are counted as they come."""

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.metadata.cluster import Cluster
from moldau.broker.metadata.image import Image
from moldau.broker.server.monitoring.figures.changes import Changes
from tests.broker.server.monitoring.figures.test_remembered import state, topic, topics

TOPIC = topic("t").topic_id


def image_of(*partitions):
    return Image(topics=topics(topic("t", *partitions)))


def after(old, new, node_id=1):
    """What is counted when one image follows the other."""
    changes = Changes(node_id)
    for before, image in ((Image(), old), (old, new)):
        delta: Any = SimpleNamespace(image=before, changed_topics={TOPIC})
        changes.follow(delta, image)
    return changes


@pytest.mark.parametrize(
    ("isr", "counts"), [((1,), (1, 0)), ((1, 2, 3), (0, 1)), ((1, 3), (1, 1)), ((1, 2), (0, 0))]
)
def test_the_leader_counts_who_leaves_an_isr_and_who_comes(isr, counts):
    old, new = (image_of(state((1, 2, 3), one, 1)) for one in ((1, 2), isr))
    for node_id, expected in ((1, counts), (2, (0, 0))):
        changes = after(old, new, node_id)
        assert (changes.isr_shrinks, changes.isr_expands) == expected


@pytest.mark.parametrize(
    ("leader", "counts"), [(1, (0, 0)), (2, (1, 0)), (3, (1, 1)), (-1, (0, 0))]
)
def test_an_election_is_unclean_if_the_new_leader_was_not_in_sync(leader, counts):
    old, new = (image_of(state((1, 2, 3), (1, 2), one)) for one in (1, leader))
    changes = after(old, new)
    assert (changes.elections, changes.unclean_elections) == counts


@pytest.mark.parametrize(("leader", "counts"), [(2, (0, 0)), (3, (1, 0)), (4, (0, 1))])
def test_an_eligible_leader_that_was_not_in_sync_is_counted_apart(leader, counts):
    old, new = (
        image_of(state((1, 2, 3, 4), (1, 2), one, eligible_leader_replicas=(3,)))
        for one in (1, leader)
    )
    changes = after(old, new)
    assert (changes.eligible_elections, changes.unclean_elections) == counts


@pytest.mark.parametrize(
    ("fenced", "leaves", "incarnation", "count"),
    [(True, False, 1, 1), (True, True, 1, 0), (True, False, 2, 0), (False, False, 1, 0)],
)
def test_a_broker_that_is_fenced_without_a_word_has_missed_its_heartbeats(
    fenced, leaves, incarnation, count
):
    def image(incarnation, fenced, leaves):
        broker: Any = SimpleNamespace(
            incarnation_id=incarnation, fenced=fenced, in_controlled_shutdown=leaves
        )
        return Image(cluster=Cluster(brokers={2: broker}))

    assert (
        after(image(1, False, False), image(incarnation, fenced, leaves)).heartbeats_missed == count
    )


def test_every_epoch_of_the_quorum_is_another_active_controller():
    assert after(Image(epoch=3), Image(epoch=3)).active_controllers == 1
    assert after(Image(epoch=3), Image(epoch=4)).active_controllers == 2
