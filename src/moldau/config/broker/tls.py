"""TLS: certificates, trust and ciphers."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, flag, maybe_text, names, plugin, secret, text
from moldau.config.settings import Settings


class TlsKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    ssl_client_auth = text(
        "none",
        "Whether clients must, may or need not show a certificate.",
        choices=("required", "requested", "none"),
        scope=Scope.BROKER,
    )
    ssl_protocol = text("TLSv1.3", "The newest version of TLS.", scope=Scope.BROKER)
    ssl_enabled_protocols = names(
        ("TLSv1.2", "TLSv1.3"), "The versions of TLS that are spoken.", scope=Scope.BROKER
    )
    ssl_cipher_suites = names(
        (), "The ciphers that are allowed; those of the library by default.", scope=Scope.BROKER
    )
    ssl_provider = maybe_text("A Java class; nothing here.", scope=Scope.BROKER)
    ssl_endpoint_identification_algorithm = text(
        "https",
        "How a server's name is checked against its certificate; empty not at all.",
        scope=Scope.BROKER,
        rank=Rank.LOW,
    )
    ssl_engine_factory_class = plugin(
        None, "A plug-in that makes TLS engines.", scope=Scope.BROKER, rank=Rank.LOW
    )
    ssl_keymanager_algorithm = text(
        "SunX509", "Java's name for how keys are chosen; nothing here.", scope=Scope.BROKER
    )
    ssl_trustmanager_algorithm = text(
        "PKIX", "Java's name for how trust is decided; nothing here.", scope=Scope.BROKER
    )
    ssl_secure_random_implementation = maybe_text(
        "Java's name for a source of randomness; nothing here.", scope=Scope.BROKER, rank=Rank.LOW
    )
    ssl_keystore_type = text(
        "JKS", "The form of the key store: JKS, PKCS12, JCEKS or PEM.", scope=Scope.BROKER
    )
    ssl_keystore_location = maybe_text("Where the key store lies.", scope=Scope.BROKER)
    ssl_keystore_password = secret("What opens the key store.", scope=Scope.BROKER)
    ssl_keystore_key = secret("The private key itself, as PEM.", scope=Scope.BROKER)
    ssl_keystore_certificate_chain = secret(
        "The certificates that go with it, as PEM.", scope=Scope.BROKER
    )
    ssl_key_password = secret("What opens the private key.", scope=Scope.BROKER)
    ssl_truststore_type = text(
        "JKS", "The form of the trust store: JKS, PKCS12, JCEKS or PEM.", scope=Scope.BROKER
    )
    ssl_truststore_location = maybe_text("Where the trust store lies.", scope=Scope.BROKER)
    ssl_truststore_password = secret("What opens the trust store.", scope=Scope.BROKER)
    ssl_truststore_certificates = secret(
        "The trusted certificates themselves, as PEM.", scope=Scope.BROKER
    )
    ssl_principal_mapping_rules = text(
        "DEFAULT", "How the name in a certificate becomes a principal.", rank=Rank.LOW
    )
    ssl_allow_dn_changes = flag(
        False, "Whether a new certificate may have another name than the old one.", rank=Rank.LOW
    )
    ssl_allow_san_changes = flag(
        False,
        "Whether a new certificate may have other alternative names than the old one.",
        rank=Rank.LOW,
    )
