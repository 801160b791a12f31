"""Users who show a certificate: they have no secret that could log in to the cluster for them.

The program logs in itself and has the cluster make a delegation token for the principal that the
certificate names (KIP-373); with it the user's clients log in by SCRAM. So the program needs
CREATE_TOKENS on those users, and none of their passwords or keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.client import AsyncAdmin
from moldau.client.errors import RefusedError
from moldau.network.tls.distinguished_name import subject_of
from moldau.network.tls.principal_rules import PrincipalRules
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Network
from moldau.programs.http.https import HttpsNetwork
from moldau.programs.registry.logins import Kind, Login, unauthorized

__all__ = ["Delegations", "delegations"]

OWN_LOGIN: Final = "sasl.jaas.config"
TOKENS_MAX: Final = 1_000
"""That are kept; with more the oldest is forgotten, and made again when it is needed."""
USED_FOR: Final = 0.8
"""The share of a token's life after which another one is made."""


class Delegations:
    """Tokens of principals, by the name in their certificates."""

    def __init__(self, client: Mapping[str, str], rules: str, clock: Clock) -> None:
        """`client` logs in as the program."""
        self._client = client
        self._rules = PrincipalRules(rules)
        self._clock = clock
        self._admin: AsyncAdmin | None = None
        self._kept: dict[str, tuple[Login, float]] = {}
        """With the time at which each is not used any more."""

    def shown(self, certificate: bytes) -> Login:
        """What a checked certificate stands for, or 401."""
        subject = subject_of(certificate)
        name = self._rules.name_of(subject)
        if name is None:
            raise unauthorized(f"no rule of ssl.principal.mapping.rules fits {subject}")
        return Login(name, "", Kind.CERTIFICATE)

    async def delegated(self, name: str) -> tuple[Login, float]:
        """What the user's clients log in with, and until when in milliseconds since 1970."""
        known = self._kept.pop(name, None)
        if known is None or self._clock.now_ms() >= known[1]:
            known = await self._made(name)
        self._kept[name] = known
        if len(self._kept) > TOKENS_MAX:
            del self._kept[next(iter(self._kept))]
        return known

    def forget(self, name: str) -> None:
        """The cluster does not accept its token any more: the next one who asks gets another."""
        self._kept.pop(name, None)

    async def close(self) -> None:
        if self._admin is not None:
            await self._admin.close()

    async def _made(self, name: str) -> tuple[Login, float]:
        if self._admin is None:
            self._admin = AsyncAdmin({"client.id": "moldau-delegations", **self._client})
            self._admin.start()
        try:
            token = await self._admin.create_delegation_token(owner=f"User:{name}")
        except RefusedError as error:
            raise unauthorized(f"the cluster makes no token for User:{name}: {error}") from None
        until_ms = token.issued_ms + (token.expires_ms - token.issued_ms) * USED_FOR
        return Login(token.token_id, token.password, Kind.DELEGATED, name), until_ms


def delegations(network: Network, client: Mapping[str, str], clock: Clock) -> Delegations | None:
    """None where no certificate is asked for, or the program has no login of its own."""
    if not isinstance(network, HttpsNetwork) or network.principal_rules is None:
        return None
    if OWN_LOGIN not in client:
        return None
    return Delegations(client, network.principal_rules, clock)
