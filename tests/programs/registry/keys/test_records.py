"""Keys and values of the topic are read as they are written."""

from __future__ import annotations

import pytest

from moldau.programs.registry.keys.records import (
    Dek,
    DekPlace,
    Kek,
    dek_record,
    kek_record,
    stored_dek,
    stored_kek,
)

PLACE = DekPlace("k", "s", "AES256_SIV", 3)


def test_a_kek_is_read_as_it_is_written():
    kek = Kek("k", "local-kms", "one", {"b": "1", "a": "2"}, "of orders", True, True, 7)
    record = kek_record(kek)
    assert record.value is not None
    assert list(record.value["kmsProps"]) == ["a", "b"]
    assert stored_kek(record.value, 7) == kek


@pytest.mark.parametrize("encrypted", ["YWJj", None])
def test_a_dek_is_read_as_it_is_written(encrypted):
    dek = Dek(PLACE, encrypted, is_deleted=True, timestamp_ms=7)
    record = dek_record(dek)
    assert record.value is not None
    assert stored_dek(record.key, record.value, 7) == dek
    assert ("encryptedKeyMaterial" in dek.as_json()) is (encrypted is not None)
