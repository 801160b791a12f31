"""What a connection's TLS is made of, as Kafka's settings have it.

Which of them go together is Kafka's rule, and the refusals are in Kafka's words.
"""

from __future__ import annotations

from typing import Protocol

from moldau.config.refusals import SettingError
from moldau.platform.ports.tls import ClientCertificates, KeyStore, TlsTerms

__all__ = ["TlsSettings", "terms_of"]

PEM = "PEM"
KINDS = (PEM, "PKCS12", "JKS", "JCEKS")
KEYLESS = "SSL key store is not specified, but key store password is specified."
KEY_WITHOUT_CHAIN = "SSL private key is specified, but certificate chain is not specified."
PEM_IS_OPEN = (
    "SSL key store password cannot be specified with PEM format, "
    "only key password may be specified."
)


class TlsSettings(Protocol):
    """TLS of a listener, or of a client."""

    @property
    def ssl_protocol(self) -> str: ...
    @property
    def ssl_enabled_protocols(self) -> tuple[str, ...]: ...
    @property
    def ssl_cipher_suites(self) -> tuple[str, ...]: ...
    @property
    def ssl_endpoint_identification_algorithm(self) -> str: ...
    @property
    def ssl_keystore_type(self) -> str: ...
    @property
    def ssl_keystore_location(self) -> str | None: ...
    @property
    def ssl_keystore_password(self) -> str | None: ...
    @property
    def ssl_keystore_key(self) -> str | None: ...
    @property
    def ssl_keystore_certificate_chain(self) -> str | None: ...
    @property
    def ssl_key_password(self) -> str | None: ...
    @property
    def ssl_truststore_type(self) -> str: ...
    @property
    def ssl_truststore_location(self) -> str | None: ...
    @property
    def ssl_truststore_password(self) -> str | None: ...
    @property
    def ssl_truststore_certificates(self) -> str | None: ...


def terms_of(
    settings: TlsSettings, client_certificates: ClientCertificates = ClientCertificates.IGNORED
) -> TlsTerms:
    """The terms of TLS by these settings, or `SettingError` where they contradict each other."""
    versions = settings.ssl_enabled_protocols or (settings.ssl_protocol,)
    return TlsTerms(
        keys=_key_store(settings),
        trusted=_trust_store(settings),
        versions=tuple(versions),
        ciphers=tuple(settings.ssl_cipher_suites),
        client_certificates=client_certificates,
        checks_name=bool(settings.ssl_endpoint_identification_algorithm),
    )


def _key_store(settings: TlsSettings) -> KeyStore | None:
    kind, path = settings.ssl_keystore_type.upper(), settings.ssl_keystore_location
    password, key = settings.ssl_keystore_password, settings.ssl_keystore_key
    chain = settings.ssl_keystore_certificate_chain
    if key is None and chain is None and path is None:
        if password is not None:
            raise SettingError(KEYLESS)
        return None
    for is_wrong, complaint in (
        (key and kind != PEM, _only_pem("private key", "key", kind)),
        (key and not chain, KEY_WITHOUT_CHAIN),
        (chain and not key, "SSL certificate chain is specified, but private key is not specified"),
        (key and path, "Both SSL key store location and separate private key are specified."),
        (kind == PEM and password, PEM_IS_OPEN),
        (
            kind != PEM and not password,
            "SSL key store is specified, but key store password is not specified.",
        ),
    ):
        if is_wrong:
            raise SettingError(complaint)
    return KeyStore(_kind(kind), path, password, settings.ssl_key_password, chain, key)


def _trust_store(settings: TlsSettings) -> KeyStore | None:
    kind, path = settings.ssl_truststore_type.upper(), settings.ssl_truststore_location
    password, certificates = settings.ssl_truststore_password, settings.ssl_truststore_certificates
    if certificates is None and path is None:
        if password is not None:
            raise SettingError(
                "SSL trust store is not specified, but trust store password is specified."
            )
        return None
    for is_wrong, complaint in (
        (certificates and kind != PEM, _only_pem("trust store certs", "trust", kind)),
        (
            certificates and path,
            "Both SSL trust store location and separate trust certificates are specified.",
        ),
        (kind == PEM and password, "SSL trust store password cannot be specified for PEM format."),
    ):
        if is_wrong:
            raise SettingError(complaint)
    return KeyStore(_kind(kind), path, password, certificates=certificates)


def _only_pem(what: str, store: str, kind: str) -> str:
    return f"SSL {what} can be specified only for PEM, but {store} store type is {kind}."


def _kind(kind: str) -> str:
    if kind not in KINDS:
        raise SettingError(f"a key store or trust store is {', '.join(KINDS)}, and not {kind}")
    return kind
