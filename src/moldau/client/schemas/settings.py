"""Where a registry is, and how to log in there; options have Confluent's names."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

from moldau.client.errors import InvalidArgumentError
from moldau.config.refusals import SettingError
from moldau.network.outgoing.web import check_url, terms_of_options
from moldau.platform.ports.tls import TlsTerms
from moldau.platform.quick_dataclass import dataclass

__all__ = ["RegistrySettings", "registry_settings"]

PREFIX = "schema.registry."
URL = "url"
USER = "basic.auth.user.info"
TOKEN = "bearer.auth.token"  # noqa: S105  # the name of an option
TIMEOUT = "request.timeout.ms"
SSL = "ssl."


@dataclass(frozen=True, slots=True)
class RegistrySettings:
    """The settings of a client of the registry."""

    urls: tuple[str, ...]
    """Tried in this order until one answers."""
    authorization: str | None = None
    tls: TlsTerms = TlsTerms()
    timeout_ms: int = 30_000

    def __repr__(self) -> str:
        return f"RegistrySettings({','.join(self.urls)})"


def registry_settings(where: str | Mapping[str, object]) -> RegistrySettings:
    """Of a URL, several with commas between, or options with or without `schema.registry.`.

    The options are `url`, `basic.auth.user.info` (NAME:PASSWORD), `bearer.auth.token`,
    `request.timeout.ms`, and those of Kafka's clients that begin with `ssl.`.
    """
    given = {URL: where} if isinstance(where, str) else where
    options = {name.removeprefix(PREFIX): str(value) for name, value in given.items()}
    unknown = [name for name in options if name not in KNOWN and not name.startswith(SSL)]
    if unknown:
        raise InvalidArgumentError(
            f"a registry has no option {unknown[0]!r}: there are {', '.join(KNOWN)} and ssl.…"
        )
    try:
        tls = terms_of_options({name: options[name] for name in options if name.startswith(SSL)})
        timeout_ms = int(options.get(TIMEOUT, 30_000))
    except (SettingError, ValueError) as error:
        raise InvalidArgumentError(f"the registry's options are wrong: {error}") from None
    return RegistrySettings(_urls(options.get(URL, "")), _authorization(options), tls, timeout_ms)


KNOWN = (URL, USER, TOKEN, TIMEOUT)


def _urls(text: str) -> tuple[str, ...]:
    found = tuple(url.strip().rstrip("/") for url in text.split(",") if url.strip())
    for url in found:
        try:
            check_url(url)
        except ValueError as error:
            raise InvalidArgumentError(f"the registry's address {url}: {error}") from None
    if not found:
        raise InvalidArgumentError("a registry needs its address, such as http://localhost:8081")
    return found


def _authorization(options: Mapping[str, str]) -> str | None:
    if USER in options:
        return f"Basic {b64encode(options[USER].encode()).decode()}"
    return f"Bearer {options[TOKEN]}" if TOKEN in options else None
