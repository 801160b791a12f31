"""What is shown of an entry has nothing of the key."""

from moldau.platform.system.tls.entries import KeyEntry


def test_a_key_is_not_shown():
    assert repr(KeyEntry(b"hush", (b"one", b"two"))) == "KeyEntry(2 certificates)"
