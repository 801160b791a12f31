"""Committed batches become images."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.broker.metadata.loader import MetadataLoader
from moldau.errors import CorruptRecordError
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord, NoOpRecord
from moldau.protocol.messages.stored.metadata_transactions import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
)
from moldau.protocol.wire.schema import Message

BEGIN, END, ABORT = BeginTransactionRecord(), EndTransactionRecord(), AbortTransactionRecord()
LEVEL = FeatureLevelRecord(name="metadata.version", feature_level=30)


def test_a_batch_moves_the_image_on():
    loader = MetadataLoader(EMPTY_IMAGE)
    delta = loader.load([LEVEL, NoOpRecord()], 5, 2)
    assert (loader.image.offset, loader.image.epoch) == (5, 2)
    assert loader.image.features.metadata_version == 30
    assert delta.features.changed == {"metadata.version": 30}


def test_records_in_a_transaction_count_when_it_ends():
    loader = MetadataLoader(EMPTY_IMAGE)
    seen = []
    batches: list[list[Message]] = [[BEGIN, LEVEL], [END]]
    for offset, records in enumerate(batches):
        delta = loader.load(records, offset, 2)
        seen.append((loader.in_transaction, loader.image.features.metadata_version))
    assert seen == [(True, 0), (False, 30)]
    assert loader.image.features.metadata_version == 30
    assert delta.features.changed == {"metadata.version": 30}


def test_records_of_an_aborted_transaction_never_count():
    loader = MetadataLoader(EMPTY_IMAGE)
    loader.load([BEGIN, LEVEL], 5, 2)
    loader.load([ABORT], 6, 3)
    assert loader.image.features.metadata_version == 0
    assert (loader.image.offset, loader.in_transaction) == (6, False)


@pytest.mark.parametrize("records", [[END], [ABORT], [BEGIN, BEGIN]])
def test_brackets_that_do_not_match_are_refused(records):
    with pytest.raises(CorruptRecordError, match="TransactionRecord"):
        MetadataLoader(EMPTY_IMAGE).load(records, 5, 2)


def test_nothing_to_take_in_still_moves_the_offset():
    loader = MetadataLoader(EMPTY_IMAGE)
    loader.advance(9, 4)
    assert (loader.image.offset, loader.image.epoch) == (9, 4)


def test_a_level_that_no_record_has_is_shown_beside_the_others():
    loader = MetadataLoader(EMPTY_IMAGE)
    loader.load([LEVEL], 5, 2)
    loader.set_level("kraft.version", 1)
    assert loader.image.features.levels == {"metadata.version": 30, "kraft.version": 1}
    assert loader.image.offset == 5
