"""An identity provider at which people log in: codes with PKCE, as OpenID Connect has them.

A test takes the place of the browser and of the person in it: `login` is what the provider does
with the address that the browser was led to. `id_claims` change what the next ID token holds.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from tests.judges.identity_provider import (
    AUDIENCE,
    LIFETIME_S,
    IdentityProvider,
    claims_of,
    signed,
)
from tests.judges.logins import ADMIN, LISTENER, node_settings

CLIENT, SECRET = "the console", "of: the console"
MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"


class LoginProvider(IdentityProvider):
    """Its issuer is its own address."""

    def __init__(self) -> None:
        super().__init__()
        self.codes: dict[str, dict[str, str]] = {}
        self.id_claims: dict[str, Any] = {}
        self.id_key: Any = None
        self.access_claims: dict[str, Any] = {}

    def settings_of_console(self, console: str = "https://console") -> dict[str, str]:
        """Of the file of a console at this address whose users log in here."""
        return {
            "issuer": self.url,
            "client.id": CLIENT,
            "client.secret": SECRET,
            "redirect.uri": f"{console}/login/callback",
        }

    def login(self, location: str, user: str) -> tuple[str, str]:
        """The code and the state with which the browser is sent back."""
        given = dict(parse_qsl(urlsplit(location).query))
        assert location.startswith(f"{self.url}/authorize?")
        assert (given["response_type"], given["client_id"]) == ("code", CLIENT)
        assert given["code_challenge_method"] == "S256"
        assert "openid" in given["scope"].split()
        code = f"code {len(self.codes)}"
        self.codes[code] = {**given, "user": user}
        return code, given["state"]

    def answer(self, path: str, authorization: str, body: str) -> tuple[int, bytes]:
        if path == "/.well-known/openid-configuration":
            document = {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": self.token_url,
                "jwks_uri": self.keys_url,
            }
            return 200, json.dumps(document).encode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        if form.get("grant_type") == "authorization_code":
            return self._code_grant(authorization, form)
        return super().answer(path, authorization, body)

    def _code_grant(self, authorization: str, form: dict[str, str]) -> tuple[int, bytes]:
        """Once for each code, to the client that began, who knows the verifier."""
        asked = self.codes.pop(form["code"], None)
        pair = base64.b64encode(b"the+console:of%3A+the+console").decode()
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            asked is None
            or authorization != f"Basic {pair}"
            or challenge != asked["code_challenge"]
            or form["redirect_uri"] != asked["redirect_uri"]
        ):
            return 400, b'{"error":"invalid_grant"}'
        claims = {"iss": self.url, "aud": CLIENT, "nonce": asked["nonce"], **self.id_claims}
        tokens = {
            "token_type": "Bearer",
            "expires_in": LIFETIME_S,
            "access_token": self.token(asked["user"], **{"iss": self.url, **self.access_claims}),
            "id_token": signed(self.id_key or self.keys[-1], claims_of(asked["user"], **claims)),
        }
        return 200, json.dumps(tokens).encode()


def settings_of_node(provider: LoginProvider, audience: str = AUDIENCE) -> dict[str, str]:
    """Of a node with rules, which takes the provider's tokens if they are for this audience."""
    return node_settings(
        authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        super_users=f"User:{ADMIN}",
    ) | {
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,OAUTHBEARER",
        "sasl.oauthbearer.jwks.endpoint.url": provider.keys_url,
        "sasl.oauthbearer.expected.issuer": provider.url,
        "sasl.oauthbearer.expected.audience": audience,
        f"{LISTENER}oauthbearer.sasl.jaas.config": f"{MODULE} required;",
    }
