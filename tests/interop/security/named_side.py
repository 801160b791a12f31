"""A node as one of its users sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from moldau.protocol.messages.index import APIS
from moldau.protocol.messages.security.sasl_authenticate import SaslAuthenticateRequest
from moldau.protocol.messages.security.sasl_handshake import SaslHandshakeRequest
from moldau.protocol.wire.schema import Message, Request
from tests.interop.differential.side import TIMEOUT_S, Side
from tests.judges.logins import ADMIN, ADMIN_PASSWORD

BY_KEY = {api.key: api for api in APIS}


@dataclass
class NamedSide(Side):
    """Logs in by one name on each of its connections."""

    user: str = ADMIN
    password: str = ADMIN_PASSWORD

    def _exchange(
        self, api: Any, request: Request, version: int, patience_s: float = TIMEOUT_S
    ) -> Message:
        if self._socket is None:
            handshake = SaslHandshakeRequest(mechanism="PLAIN")
            assert not self._begin(handshake, 1).error_code  # type: ignore[attr-defined]
            token = f"\0{self.user}\0{self.password}".encode()
            answer = self._begin(SaslAuthenticateRequest(auth_bytes=token), 2)
            assert not answer.error_code  # type: ignore[attr-defined]
        return super()._exchange(api, request, version, patience_s)

    def _begin(self, request: Request, version: int) -> Message:
        return super()._exchange(BY_KEY[request.KEY], request, version)
