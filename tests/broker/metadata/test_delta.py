"""Records become images."""

from __future__ import annotations

from moldau.broker.metadata import delta as delta_module
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import EMPTY_IMAGE, Image, ProducerIds
from moldau.broker.metadata.record_codec import record_classes
from moldau.broker.metadata.security import Acls, Scram, Tokens
from moldau.protocol.messages.stored.metadata_cluster import (
    ConfigRecord,
    FeatureLevelRecord,
    NoOpRecord,
    ProducerIdsRecord,
)
from moldau.protocol.messages.stored.metadata_security import (
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveUserScramCredentialRecord,
)
from moldau.protocol.messages.stored.metadata_topics import RemoveTopicRecord, TopicRecord

ORDERS = b"o" * 16


def orders() -> Image:
    delta = Delta(EMPTY_IMAGE)
    delta.apply(TopicRecord(name="orders", topic_id=ORDERS), 3, 1)
    delta.apply(ConfigRecord(resource_type=2, resource_name="orders", name="a", value="1"), 4, 1)
    return delta.build()


def test_every_record_of_the_log_has_its_line():
    assert set(delta_module._APPLIERS) == set(record_classes().values())


def test_an_image_knows_the_offset_and_epoch_of_its_last_record():
    image = orders()
    assert (image.offset, image.epoch) == (4, 1)
    delta = Delta(image)
    delta.advance(9, 2)
    assert (delta.build().offset, delta.build().epoch) == (9, 2)


def test_records_that_say_nothing_share_everything():
    image = orders()
    delta = Delta(image)
    delta.apply(NoOpRecord(), 5, 1)
    after = delta.build()
    assert after.topics is image.topics
    assert after.configs is image.configs
    assert after.offset == 5


def test_a_topic_takes_its_configs_with_it():
    delta = Delta(orders())
    delta.apply(RemoveTopicRecord(topic_id=ORDERS))
    after = delta.build()
    assert after.configs.of(2, "orders") == {}
    assert delta.deleted_topics == {ORDERS}
    assert delta.changed_configs == {(2, "orders")}


def test_levels_and_producer_ids_are_taken_over():
    delta = Delta(orders())
    delta.apply(FeatureLevelRecord(name="metadata.version", feature_level=30))
    delta.apply(ProducerIdsRecord(broker_id=1, next_producer_id=1000))
    after = delta.build()
    assert after.features.metadata_version == 30
    assert after.producer_ids == ProducerIds(1000)
    assert delta.features.changed == {"metadata.version": 30}


def test_removals_of_secrets_reach_their_places():
    before = Image(
        acls=Acls({ORDERS: None}),  # type: ignore[dict-item]
        scram=Scram({(1, "a"): None}),  # type: ignore[dict-item]
        tokens=Tokens({"t": None}),  # type: ignore[dict-item]
    )
    delta = Delta(before)
    delta.apply(RemoveAccessControlEntryRecord(id=ORDERS))
    delta.apply(RemoveUserScramCredentialRecord(name="a", mechanism=1))
    delta.apply(RemoveDelegationTokenRecord(token_id="t"))
    after = delta.build()
    assert (after.acls, after.scram, after.tokens) == (Acls(), Scram(), Tokens())


def test_a_delta_shows_its_span():
    delta = Delta(orders())
    delta.apply(NoOpRecord(), 8, 1)
    assert repr(delta) == "Delta(from offset 4 to 8)"
