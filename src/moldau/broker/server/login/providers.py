"""Identity providers, as the listeners of a node know them: the keys of each, fetched once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from moldau.broker.server.login.bearer import file_of
from moldau.broker.server.login.token_keys import KeysFile, KeysPace, KeysPlace, TokenKeys
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import NetworkError
from moldau.network.outgoing.backoff import Backoff
from moldau.network.outgoing.web import Web, terms_of_options
from moldau.network.sasl.gssapi import Kerberos
from moldau.network.sasl.jaas import JaasLogin
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.randomness import Random

__all__ = ["KeysAddress", "Providers"]

KEYS = "moldau.network.sasl.oauth.keys"
"""Imported where a token has to be verified: the package behind it takes a while."""
OK = 200


class KeysAddress:
    """`https://provider/keys`."""

    def __init__(self, web: Web, url: str) -> None:
        self._web = web
        self._url = url

    def __repr__(self) -> str:
        return f"KeysAddress({self._url})"

    def has_changed(self) -> bool:
        return False

    async def read(self) -> bytes:
        answer = await self._web.get(self._url)
        if answer.status != OK:
            raise NetworkError(self._url, f"the answer has the status {answer.status}")
        return answer.body


class Providers:
    """Keys by their address."""

    def __init__(
        self,
        files: Files,
        clock: Clock,
        random: Random,
        web: Web,
        kerberos: Callable[[], Kerberos] | None = None,
    ) -> None:
        self.kerberos = kerberos
        self._files = files
        self._clock = clock
        self._random = random
        self._web = web
        self._keys: dict[str, TokenKeys] = {}

    def __repr__(self) -> str:
        return f"Providers({', '.join(self._keys)})"

    def keys_of(
        self, url: str, settings: BrokerSettings, login: JaasLogin | None = None
    ) -> TokenKeys:
        """Those that this listener and mechanism need; fetched from now on.

        `login` may say by its `ssl.` options whom to trust as the provider.
        """
        if url not in self._keys:
            web = self._web
            if login is not None:
                web = replace(web, terms=terms_of_options(login.options))
            self._keys[url] = made = self._make(url, settings, web)
            made.begin()
        return self._keys[url]

    def close(self) -> None:
        for keys in self._keys.values():
            keys.close()

    def _make(self, url: str, settings: BrokerSettings, web: Web) -> TokenKeys:
        backoff = Backoff(
            self._random,
            settings.sasl_oauthbearer_jwks_endpoint_retry_backoff_ms,
            settings.sasl_oauthbearer_jwks_endpoint_retry_backoff_max_ms,
        )
        pace = KeysPace(settings.sasl_oauthbearer_jwks_endpoint_refresh_ms, backoff)
        read_keys = import_module(KEYS).read_keys
        return TokenKeys(self._place(url, web), read_keys, self._clock, web.tasks, pace)

    def _place(self, url: str, web: Web) -> KeysPlace:
        path = file_of(url)
        if path is None:
            return KeysAddress(web, url)
        return KeysFile(self._files, web.tasks, path)
