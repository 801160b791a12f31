"""A small identity provider on the loopback: keys, tokens by client credentials, and forged tokens.

Keys and tokens are made by joserfc, which is not ours and knows nothing of Kafka. `answers` says
with which status it answers, so that a test can make it fail; `asked` has the paths that were asked
for.
"""

from __future__ import annotations

import base64
import hmac
import json
import ssl
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OKPKey, RSAKey

HOST = "127.0.0.1"
ISSUER = "https://issuer.example"
AUDIENCE = "the-cluster"
CLIENTS = {"alice": "wonder land", "bob": "builder", "node": "of the cluster"}
LIFETIME_S = 3600


def claims_of(name: str, **more: Any) -> dict[str, Any]:
    """Of a token that is valid; a claim of None is left out."""
    now_s = int(time.time())
    claims = {
        "sub": name,
        "iss": ISSUER,
        "aud": AUDIENCE,
        "iat": now_s,
        "exp": now_s + LIFETIME_S,
        "scope": "kafka",
        **more,
    }
    return {name: value for name, value in claims.items() if value is not None}


def signed(key: Any, claims: Mapping[str, Any], algorithm: str = "RS256", **header: Any) -> str:
    whole = {"alg": algorithm, "kid": key.kid, **header}
    return jwt.encode(whole, dict(claims), key, algorithms=[algorithm])


def section(values: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).rstrip(b"=").decode()


def unsigned(claims: Mapping[str, Any], **header: Any) -> str:
    """With `alg: none`, or whatever the header says, and no signature."""
    return f"{section({'alg': 'none', **header})}.{section(claims)}."


def signed_as_is(key: RSAKey, header: Mapping[str, Any], claims: Any) -> str:
    """By RS256, whatever the header says: a provider that does not mind what it signs."""
    text = f"{section(header)}.{section(claims)}"
    private: Any = key.private_key
    signature = private.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{text}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def signed_by_secret(secret: bytes, header: Mapping[str, Any], claims: Any) -> str:
    """By HS256, with bytes that anyone has."""
    text = f"{section({**header, 'alg': 'HS256'})}.{section(claims)}"
    signature = hmac.digest(secret, text.encode(), "sha256")
    return f"{text}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def new_key(kid: str = "first") -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": kid, "use": "sig"})


def new_ec_key(kid: str = "curve", curve: str = "P-256") -> ECKey:
    return ECKey.generate_key(curve, {"kid": kid, "use": "sig"})


def new_ed_key(kid: str = "edwards") -> OKPKey:
    return OKPKey.generate_key("Ed25519", {"kid": kid, "use": "sig"})


def key_set(*keys: Any) -> bytes:
    """The public halves, as a provider publishes them."""
    return json.dumps(KeySet(list(keys)).as_dict(private=False)).encode()


class IdentityProvider:
    """Serves from a thread until it is closed; by https where it has a certificate."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.keys: list[Any] = [new_key()]
        self.answers: dict[str, int] = {}
        self.asked: list[str] = []
        self.lifetime_s = LIFETIME_S
        self._server = ThreadingHTTPServer((HOST, 0), _handler_of(self))
        self._server.daemon_threads = True
        self._scheme = "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self._scheme = "https"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *caught: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"{self._scheme}://{HOST}:{self._server.server_port}"

    @property
    def keys_url(self) -> str:
        return f"{self.url}/keys"

    @property
    def token_url(self) -> str:
        return f"{self.url}/token"

    def token(self, name: str, **more: Any) -> str:
        return signed(self.keys[-1], claims_of(name, **more))

    def answer(self, path: str, authorization: str, body: str) -> tuple[int, bytes]:
        self.asked.append(path)
        if path in self.answers:
            return self.answers[path], b"{}"
        if path == "/keys":
            return 200, key_set(*self.keys)
        return self._grant(authorization, parse_qs(body))

    def _grant(self, authorization: str, form: Mapping[str, list[str]]) -> tuple[int, bytes]:
        decoded = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        name, _, password = decoded.partition(":")
        if form.get("grant_type") != ["client_credentials"] or CLIENTS.get(name) != password:
            return 401, b'{"error":"invalid_client"}'
        ends_s = int(time.time()) + self.lifetime_s
        token = self.token(name, exp=ends_s, scope=" ".join(form.get("scope", ["kafka"])))
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": self.lifetime_s}
        return 200, json.dumps(answer).encode()


def _handler_of(provider: IdentityProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply("")

        def do_POST(self) -> None:
            self._reply(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _reply(self, body: str) -> None:
            authorization = self.headers.get("Authorization", "")
            status, text = provider.answer(self.path, authorization, body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *arguments: object) -> None:
            """Nothing: a test looks at `asked`."""

    return Handler
