"""The settings of a client, by Kafka's dotted names and with Kafka's defaults.

A name that this client does not know is warned about and otherwise ignored where settings come as a
mapping, as Java's clients do: the same mapping may serve a producer. As a keyword it is refused.
What would change the meaning of a connection, and cannot be done yet, is refused too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Self, TypeAlias, TypeVar

from moldau.client.errors import UnsupportedSettingError
from moldau.client.settings.of_java import JAVA_ONLY
from moldau.client.settings.of_librdkafka import OF_LIBRDKAFKA
from moldau.config.broker.oauth import TokenLoginKeys
from moldau.config.client_tls import ClientTlsKeys
from moldau.config.given import refuse_unknown, texts
from moldau.config.key import flag, integer, long, maybe_text, names, secret, text
from moldau.config.nearest import nearest
from moldau.config.refusals import (
    InvalidSettingError,
    MissingSettingError,
    SettingError,
    UnknownSettingError,
)
from moldau.platform.lazy_log import LazyLog
from moldau.platform.ports.network import Address

__all__ = ["ClientSettings", "Servers", "addresses_of", "chosen_settings", "settings_of"]

log = LazyLog(__name__)

MIB = 1024 * 1024
PLAINTEXT = "PLAINTEXT"
PROTOCOLS = (PLAINTEXT, "SASL_PLAINTEXT", "SSL", "SASL_SSL")
PORT_MAX = 65535
WHOSE = " of this client"
FOREIGN = {**JAVA_ONLY, **OF_LIBRDKAFKA}
"""Names that other clients have, and what they come to here."""
BOOTSTRAP_SERVERS = "bootstrap.servers"
CHUNK_BYTES = 4 * 1024 * 1024
"""What is fetched of a partition at a time, unless a setting changes it: more than Kafka's default
for consumers, enough that the way to the broker does not show (bench/client_read.py)."""

Servers: TypeAlias = str | Iterable[str] | Mapping[str, object]
"""HOST:PORT, several of them, or settings with `bootstrap.servers` among them."""


Chosen = TypeVar("Chosen", bound="ClientSettings")


class ClientSettings(ClientTlsKeys, TokenLoginKeys):
    """The settings that all clients have."""

    REQUIRED: ClassVar[tuple[str, ...]] = (BOOTSTRAP_SERVERS,)

    bootstrap_servers = names((), "Where to begin: HOST:PORT of some brokers, with commas between.")
    client_id = text("", "A name for logs and quotas of the brokers.")
    security_protocol = text(
        PLAINTEXT,
        "How to speak to brokers: PLAINTEXT or SSL, and with a login SASL_PLAINTEXT or SASL_SSL.",
    )
    sasl_mechanism = text(
        "GSSAPI", "How to log in: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER or GSSAPI."
    )
    sasl_jaas_config = secret("Name and password of the login, in the form that Java knows.")
    sasl_kerberos_service_name = maybe_text("The name of the service in Kerberos.")
    metadata_max_age_ms = long(300_000, "After this long, ask again who leads what.", least=0)
    request_timeout_ms = integer(30_000, "How long an answer of a broker may take.", least=1)
    default_api_timeout_ms = integer(60_000, "How long a call tries again in all.", least=1)
    retry_backoff_ms = long(100, "Before the first new try; doubled for each one more.", least=0)
    retry_backoff_max_ms = long(1000, "No wait for a new try is longer.", least=0)
    reconnect_backoff_ms = long(50, "Before connecting anew to the same address.", least=0)
    reconnect_backoff_max_ms = long(1000, "No wait for a connection is longer.", least=0)
    socket_connection_setup_timeout_ms = long(10_000, "How long connecting may take.", least=1)
    fetch_min_bytes = integer(1, "A broker waits until it has this much to answer.", least=0)
    fetch_max_bytes = integer(50 * MIB, "Bound of an answer of a broker.", least=0)
    fetch_max_wait_ms = integer(500, "How long a broker waits for `fetch.min.bytes`.", least=0)
    max_partition_fetch_bytes = integer(MIB, "Bound of a partition's part of it.", least=0)
    client_rack = text("", "Where this client is; replicas there are read from.")
    check_crcs = flag(True, "Whether each batch is held against its checksum.")
    isolation_level = text(
        "read_uncommitted",
        "Whether records of open and aborted transactions are seen.",
        choices=("read_committed", "read_uncommitted"),
        any_case=True,
    )

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Self:
        """Of texts and other values of Python, under names with dots or underscores."""
        named = _named(given)
        for name in cls.unknown(named):
            reason: object = FOREIGN.get(name)
            if reason is not None:
                log.warning("%s has no effect in this client: %s", name, reason)
                continue
            reason = UnknownSettingError(name, nearest(name, cls.KEYS), WHOSE)
            log.warning("%s; it is ignored", reason)
        settings = super().of(named)
        if settings.security_protocol.upper() not in PROTOCOLS:
            raise UnsupportedSettingError(
                "security.protocol", settings.security_protocol, f"it is {', '.join(PROTOCOLS)}"
            )
        if not settings.addresses:
            raise MissingSettingError(BOOTSTRAP_SERVERS)
        return settings

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses of `bootstrap.servers`."""
        return addresses_of(BOOTSTRAP_SERVERS, self.bootstrap_servers)

    @property
    def chunk_bytes(self) -> int:
        """What a reading fetches of a partition at a time."""
        given = "max.partition.fetch.bytes" in self.given
        return self.max_partition_fetch_bytes if given else CHUNK_BYTES


def chosen_settings(servers: Servers, keywords: Mapping[str, object]) -> ClientSettings:
    """What `connect` was called with: the keywords win."""
    return settings_of(ClientSettings, servers, keywords)


def settings_of(
    kind: type[Chosen], servers: Servers | None, keywords: Mapping[str, object]
) -> Chosen:
    """What a client of some kind was called with: the keywords win."""
    names = [key.attribute for key in kind.KEYS.values()]
    unknown = [name for name in keywords if name not in names]
    for name in unknown:
        reason = FOREIGN.get(name.replace("_", "."))
        if reason is not None:
            raise UnsupportedSettingError(name, repr(keywords[name]), reason)
    refuse_unknown(unknown, names, WHOSE)
    return kind.of({**_base(servers), **_named(keywords)})


def _base(servers: Servers | None) -> dict[str, str]:
    if servers is None:
        return {}
    if isinstance(servers, Mapping):
        return _named(servers)
    if isinstance(servers, str):
        return {BOOTSTRAP_SERVERS: servers}
    if not isinstance(servers, Iterable):
        raise SettingError(
            f"a client takes HOST:PORT, a list of them, or settings by name, and not {servers!r}"
        )
    return texts({BOOTSTRAP_SERVERS: list(servers)})


def _named(given: Mapping[str, object]) -> dict[str, str]:
    """As texts, by Kafka's names with dots."""
    return {name.replace("_", "."): text for name, text in texts(given).items()}


def addresses_of(name: str, servers: Iterable[str]) -> tuple[Address, ...]:
    """The addresses of a list of HOST:PORT, which the setting of that name has."""
    return tuple(_address(name, server) for server in servers if server)


def _address(name: str, server: str) -> Address:
    """What stands before :// means nothing, as with Java's."""
    host, colon, port = server.rpartition("://")[2].rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) <= PORT_MAX:
        raise InvalidSettingError(name, server, "it has to be HOST:PORT")
    return Address(host.removeprefix("[").removesuffix("]"), int(port))
