"""What is shown of a key store is where it is, and never what opens it."""

from moldau.platform.ports.tls import KeyStore, TlsTerms


def test_passwords_and_keys_are_not_shown():
    store = KeyStore("PKCS12", "/etc/node.p12", "hush", "hush", None, "hush")
    assert repr(store) == "KeyStore(PKCS12, /etc/node.p12)"
    assert "hush" not in repr(TlsTerms(keys=store, trusted=store))
