"""Images become records again."""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.broker.metadata.record_codec import decode_record, encode_at
from moldau.broker.metadata.settings import Features
from moldau.broker.metadata.snapshot import image_records
from moldau.protocol.messages.stored.metadata_brokers import RegisterControllerRecord
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord
from moldau.protocol.messages.stored.metadata_security import DelegationTokenRecord
from tests.broker.metadata.full_image import full_image


def rebuilt(image):
    """Through the bytes of the log, and back."""
    delta = Delta(EMPTY_IMAGE)
    for record in image_records(image):
        delta.apply(decode_record(encode_at(record, image.features.metadata_version)))
    delta.advance(image.offset, image.epoch)
    return delta.build()


def test_an_image_comes_back_from_its_records():
    assert rebuilt(full_image()) == full_image()


def test_levels_come_first_and_the_metadata_version_before_all():
    first, second, *_ = image_records(full_image())
    assert isinstance(first, FeatureLevelRecord)
    assert isinstance(second, FeatureLevelRecord)
    assert [first.name, second.name] == ["metadata.version", "group.version"]


def test_the_level_that_the_quorum_keeps_is_no_metadata_record():
    levels = {"metadata.version": 30, "kraft.version": 1}
    image = replace(full_image(), features=Features(levels))
    names = [one.name for one in image_records(image) if isinstance(one, FeatureLevelRecord)]
    assert names == ["metadata.version"]


def test_what_an_old_metadata_version_cannot_carry_is_left_out():
    image = full_image(metadata_version=7)
    kinds = {type(record) for record in image_records(image)}
    assert not kinds & {RegisterControllerRecord, DelegationTokenRecord}
    old = rebuilt(image)
    assert old.cluster.brokers[1].log_dirs == ()
    assert old.topics.by_name["orders"].partitions[0].eligible_leader_replicas == ()
    assert old.scram.by_user == {}
