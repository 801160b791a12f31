"""Data keys in a registry of ours."""

from __future__ import annotations

import pytest

from moldau.client.schemas.encryption.data_keys import DataKeys, Wanted
from moldau.client.schemas.encryption.key_managers import LocalKeyManager
from moldau.schemas.data_errors import DataError
from tests.client.schemas.simulated_registry import SimulatedRegistry

WANTED = Wanted("k", "local-kms", "one", "AES256_GCM", "a/b-value")
MANAGERS = {"local-kms": LocalKeyManager("secret")}
KEK = "/dek-registry/v1/keks/k"


@pytest.fixture
def registry():
    return SimulatedRegistry()


def test_two_clients_have_one_key(registry):
    data = DataKeys(registry, MANAGERS).to_write(WANTED, newest=False).cipher.encrypt(b"x")
    other = DataKeys(registry, MANAGERS)
    assert other.to_write(WANTED, newest=True).version == 1
    assert other.to_read(WANTED, 1).cipher.decrypt(data) == b"x"


def test_a_key_that_is_read_with_is_asked_for_once(registry):
    keys = DataKeys(registry, MANAGERS)
    keys.to_write(WANTED, newest=False)
    keys.to_read(WANTED, 1)
    asked = registry.asked
    keys.to_read(WANTED, 1)
    assert registry.asked == asked


def test_who_is_second_takes_the_key_of_the_first(registry):
    first, second = DataKeys(registry, MANAGERS), DataKeys(registry, MANAGERS)
    data = first.make(WANTED, 1).cipher.encrypt(b"x")
    assert second.make(WANTED, 1).cipher.decrypt(data) == b"x"


def test_an_alternate_key_of_the_kek_decrypts_what_the_first_cannot(registry):
    class OfOneKey(LocalKeyManager):
        def decrypt(self, key_id, properties, encrypted):
            if key_id != "old":
                raise DataError("not mine")
            return super().decrypt(key_id, properties, encrypted)

    DataKeys(registry, MANAGERS).to_write(WANTED, newest=False)
    body = {"kmsProps": {"encrypt.alternate.kms.key.ids": "older, old"}}
    registry.ask(lambda calls: calls.call("PUT", KEK, body))
    keys = DataKeys(registry, {"local-kms": OfOneKey("secret")})
    assert keys.to_read(WANTED, 1).version == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kms_key_id": "two"}, "has the kmsKeyId 'one', the rule 'two'"),
        ({"kek": "other", "kms_type": ""}, "has no key 'other'"),
        ({"kek": "other", "kms_type": "aws-kms"}, "no key manager for 'aws-kms'"),
    ],
)
def test_what_is_missing_is_named(registry, change, message):
    DataKeys(registry, MANAGERS).to_write(WANTED, newest=False)
    with pytest.raises(DataError, match=message):
        DataKeys(registry, MANAGERS).to_write(WANTED._replace(**change), newest=False)


def test_a_key_that_is_deleted_for_good_reads_nothing(registry):
    DataKeys(registry, MANAGERS).to_write(WANTED, newest=False)
    place = f"{KEK}/deks/a%2Fb-value"
    registry.ask(lambda calls: calls.call("DELETE", place))
    assert DataKeys(registry, MANAGERS).to_read(WANTED, 1)
    registry.ask(lambda calls: calls.call("DELETE", f"{place}?permanent=true"))
    with pytest.raises(DataError, match="has no data key of 'k' for a/b-value any more"):
        DataKeys(registry, MANAGERS).to_read(WANTED, 1)
