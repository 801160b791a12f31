"""What deciders share."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.context import new_member_id
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.uuids import parse_uuid
from tests.broker.coordinator.group.consumer.conversation import stage


def test_member_ids_are_random_uuids_that_begin_with_no_dash():
    random = SeededRandom(5)
    made = [new_member_id(random) for _ in range(200)]
    assert len(set(made)) == 200
    assert not any(text.startswith("-") for text in made)
    assert {parse_uuid(text)[6] >> 4 for text in made} == {4}


def test_only_consumer_groups_are_found():
    coordinator = stage()
    kinds = [kind for kind in coordinator.shard.kinds.values() if hasattr(kind, "context")]
    assert kinds[0].context.group("missing") is None
