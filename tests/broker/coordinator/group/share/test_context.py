"""Names of topics become ids, as far as there are such topics."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.share.context import ShareContext
from moldau.errors import KafkaError
from tests.broker.coordinator.group.consumer.conversation import id_of
from tests.broker.coordinator.group.share.conversation import ShareGroupCoordinator


def test_topics_that_are_not_there_have_no_id():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=1)
    world = ShareContext(coordinator.shard.groups)
    assert world.ids_of(["t", "gone"]) == (id_of("t"),)
    assert world.hash_of({"gone"}) == 0 != world.hash_of({"t"})


def test_a_group_of_another_kind_is_none_of_ours():
    with pytest.raises(KafkaError):
        ShareContext(ShareGroupCoordinator().shard.groups).group("g")
