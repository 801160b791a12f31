"""TLS of a client, by the names that Java's clients have for it."""

from __future__ import annotations

from moldau.config.key import maybe_text, names, secret, text
from moldau.config.settings import Settings


class ClientTlsKeys(Settings):
    """A client's certificate, the authorities that it trusts, and its versions of TLS."""

    ssl_protocol = text("TLSv1.3", "The version of TLS, where none is enabled by name.")
    ssl_enabled_protocols = names(("TLSv1.2", "TLSv1.3"), "The versions of TLS that are spoken.")
    ssl_cipher_suites = names((), "The ciphers that are allowed; OpenSSL's own by default.")
    ssl_endpoint_identification_algorithm = text(
        "https", "How a broker's name is checked against its certificate; empty not at all."
    )
    ssl_keystore_type = text("JKS", "The form of the key store: JKS, PKCS12, JCEKS or PEM.")
    ssl_keystore_location = maybe_text("Where the key store lies.")
    ssl_keystore_password = secret("What opens the key store.")
    ssl_keystore_key = secret("The private key itself, as PEM.")
    ssl_keystore_certificate_chain = secret("The certificates that go with it, as PEM.")
    ssl_key_password = secret("What opens the private key.")
    ssl_truststore_type = text("JKS", "The form of the trust store: JKS, PKCS12, JCEKS or PEM.")
    ssl_truststore_location = maybe_text("Where the trust store lies.")
    ssl_truststore_password = secret("What opens the trust store.")
    ssl_truststore_certificates = secret("The trusted certificates themselves, as PEM.")
