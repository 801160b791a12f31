"""The file of keys: what is in it, what is none, and when it is read again."""

from __future__ import annotations

import pytest

from moldau.broker.log.encryption.key_file import KeyFile, KeyFileError
from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.errors import CorruptRecordError, FileMissingError
from moldau.platform.simulated.randomness import SeededRandom
from tests.broker.log.encryption.encrypted_logs import KEYS, EncryptedBench, key_line

DATA_KEY = bytes(range(32))


def key_file(bench: EncryptedBench) -> KeyFile:
    return KeyFile(bench.files, KEYS, SeededRandom(1))


def test_the_highest_version_wraps_and_all_unwrap():
    bench = EncryptedBench()
    bench.set_keys("\n# ours\n" + key_line(10) + key_line(9) + key_line(11, "others"))
    keys = key_file(bench)
    assert keys.current("orders") == "orders.10"
    for key_id in ("orders.9", "orders.10", "others.11"):
        wrapped = keys.wrap(key_id, DATA_KEY, b"t")
        assert DATA_KEY not in wrapped
        assert keys.unwrap(key_id, wrapped, b"t") == DATA_KEY
        with pytest.raises(KeyUnavailableError):
            keys.unwrap(key_id, wrapped, b"u")
    with pytest.raises(CorruptRecordError):
        keys.unwrap("orders.9", b"short", b"t")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("orders = AAAA", "line 1 is no key; write name.version = key in base64"),
        ("\norders.0 = AAAA", "line 2 is no key"),
        ("orders.1 = AAAA", r"gives orders.1 3 bytes, not 32"),
        ("orders.1 = A*AA", r"gives orders.1 a key that is not base64"),
        (
            key_line(1) + key_line(2).replace("orders.2", "orders.1"),
            "line 2 gives orders.1 a second",
        ),
    ],
)
def test_what_is_no_key_is_named_by_its_line_and_never_shown(text, says):
    bench = EncryptedBench()
    bench.set_keys(text)
    with pytest.raises(KeyFileError, match=says) as refused:
        key_file(bench)
    assert "AgIC" not in str(refused.value)


def test_a_file_that_is_not_there_is_refused_at_the_start():
    bench = EncryptedBench()
    bench.files.remove(KEYS)
    with pytest.raises(FileMissingError):
        key_file(bench)


def test_a_line_that_is_added_counts_and_a_file_that_went_wrong_changes_nothing(caplog):
    bench = EncryptedBench()
    keys = key_file(bench)
    bench.set_keys(key_line(1) + key_line(2))
    assert keys.current("orders") == "orders.2"
    bench.set_keys("nonsense")
    assert [keys.current("orders") for _ in range(3)] == ["orders.2"] * 3
    assert [record.getMessage() for record in caplog.records] == [
        "keys: line 1 is no key; write name.version = key in base64; the keys that were read "
        "before stay"
    ]


def test_a_name_and_a_version_that_are_not_there_are_named():
    keys = key_file(EncryptedBench())
    with pytest.raises(KeyUnavailableError, match=r"keys has no key 'users'; add a line users.1"):
        keys.current("users")
    for key_id in ("orders.2", "orders.x", "orders"):
        with pytest.raises(KeyUnavailableError, match=f"has no key '{key_id}'"):
            keys.wrap(key_id, DATA_KEY, b"")
    assert "hidden" in repr(keys)
