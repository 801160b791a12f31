"""What a node without keys answers, and how batches are read one behind the other."""

from __future__ import annotations

import pytest

from moldau.broker.log.encryption_port import NO_KEYS, KeyUnavailableError, decrypt_batches
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch


def test_without_keys_the_setting_that_lacks_is_named():
    plain = batch(3)
    for act in (
        lambda: NO_KEYS.encrypt("t-0", "orders", plain, read_header(plain)),
        lambda: NO_KEYS.decrypt("t-0", plain),
    ):
        with pytest.raises(KeyUnavailableError, match=r"moldau.encryption.at.rest.key.file"):
            act()


def test_batches_that_are_not_encrypted_stay_and_a_cut_off_one_is_left_out():
    records = bytes(batch(0)) + bytes(batch(1)) + bytes(batch(2))[:-1]
    assert decrypt_batches(NO_KEYS, "t-0", records) == bytes(batch(0)) + bytes(batch(1))
