"""OpenID Connect, as the console asks an identity provider: a code with PKCE, and an ID token.

    ISSUER/.well-known/openid-configuration   where the rest is; its issuer has to be the same
    authorization_endpoint   the browser goes there with state, nonce and the challenge (S256)
    token_endpoint           the code, with the verifier, becomes an ID token and an access token
    jwks_uri                 the keys by which the ID token has to be signed

The ID token shows who logged in, here and now: by the issuer, for this client, with the nonce of
this login. The access token is what the cluster is logged in to with (OAUTHBEARER); the console
does not look into it.
"""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote_plus, urlencode

from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.network.outgoing.web import Web, WebAnswer, check_url
from moldau.network.sasl.oauth.jwt import Jwt, JwtError, parse_jwt, read_object
from moldau.network.sasl.oauth.rules import TokenRules, check_claims, number_of
from moldau.platform.ports.clock import Clock
from moldau.programs.http.messages import HttpError

if TYPE_CHECKING:
    from moldau.network.sasl.oauth.keys import KeySet

__all__ = ["Granted", "OidcProvider", "OidcSettings", "challenge_of", "oidc_settings"]

KEYS: Final = "moldau.network.sasl.oauth.keys"
"""Imported where a token has to be verified: the package behind it takes a while."""
OK: Final = 200
REFUSED: Final = 403
AWAY: Final = 503
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
ISSUER: Final = "issuer"
CLIENT_ID: Final = "client.id"
CLIENT_SECRET: Final = "client.secret"  # noqa: S105  # the name of a setting
REDIRECT: Final = "redirect.uri"
SCOPE: Final = "scope"
SSL: Final = "ssl."
REQUIRED: Final = (ISSUER, CLIENT_ID, REDIRECT)
KNOWN: Final = (*REQUIRED, CLIENT_SECRET, SCOPE)
CALLBACK: Final = "/login/callback"
ENDPOINTS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")
FORM: Final = "application/x-www-form-urlencoded"
MS_PER_S: Final = 1000


class OidcSettings(NamedTuple):
    """The console as a client of the provider."""

    issuer: str
    client_id: str
    client_secret: str | None
    """None of a public client, which PKCE alone protects."""
    redirect_uri: str
    scope: str
    tls: Mapping[str, str]
    """Options that begin with `ssl.`."""

    def __repr__(self) -> str:
        return f"OidcSettings({self.client_id} at {self.issuer})"

    @property
    def is_secure(self) -> bool:
        return self.redirect_uri.startswith("https://")


class Granted(NamedTuple):
    """What a login has brought."""

    user: str
    access_token: str
    ends_ms: float | None
    """Since 1970; None where the provider does not say."""

    def __repr__(self) -> str:
        return f"Granted({self.user})"


def oidc_settings(given: Mapping[str, str]) -> OidcSettings:
    """The settings in a file of properties, or `SettingError`."""
    for name in given:
        if name not in KNOWN and not name.startswith(SSL):
            raise SettingError(
                f"{name} is no setting of logins; there are {', '.join(KNOWN)}, ssl.…"
            )
    for name in REQUIRED:
        if not given.get(name):
            raise SettingError(f"logins by an identity provider need {name}")
    issuer, redirect = given[ISSUER].rstrip("/"), given[REDIRECT]
    _ensure_guarded(ISSUER, issuer)
    _ensure_guarded(REDIRECT, redirect)
    if check_url(redirect).path != CALLBACK or "?" in redirect:
        raise SettingError(f"{REDIRECT} has to be the console's own address with {CALLBACK}")
    scope = given.get(SCOPE, "openid")
    if "openid" not in scope.split():
        raise SettingError(f"{SCOPE} has to have openid in it")
    tls = {name: text for name, text in given.items() if name.startswith(SSL)}
    secret = given.get(CLIENT_SECRET) or None
    return OidcSettings(given[ISSUER], given[CLIENT_ID], secret, redirect, scope, tls)


def _ensure_guarded(name: str, url: str) -> None:
    """Codes and tokens cross no network in the clear."""
    try:
        parts = check_url(url)
    except ValueError as error:
        raise SettingError(f"{name} is no address: {error}") from None
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise SettingError(f"{name} has to begin with https:// unless it is on this machine")


def challenge_of(verifier: str) -> str:
    """S256 of RFC 7636."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()


class OidcProvider:
    """One identity provider; what it publishes about itself is asked once."""

    def __init__(self, settings: OidcSettings, web: Web, clock: Clock) -> None:
        self.settings = settings
        self._web = web
        self._clock = clock
        self._document: Mapping[str, Any] | None = None
        self._keys: KeySet | None = None

    def __repr__(self) -> str:
        return f"OidcProvider({self.settings.issuer})"

    async def login_url(self, state: str, nonce: str, verifier: str) -> str:
        """The address at which the browser logs in."""
        endpoint = (await self._endpoints())["authorization_endpoint"]
        query = urlencode(
            {
                "response_type": "code",
                "client_id": self.settings.client_id,
                "redirect_uri": self.settings.redirect_uri,
                "scope": self.settings.scope,
                "state": state,
                "nonce": nonce,
                "code_challenge": challenge_of(verifier),
                "code_challenge_method": "S256",
            }
        )
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{query}"

    async def granted(self, code: str, nonce: str, verifier: str) -> Granted:
        """Who has logged in, or `HttpError`."""
        answer = await self._token_answer(code, verifier)
        tokens = _object(answer.body, "answer with tokens")
        id_token, access_token = tokens.get("id_token"), tokens.get("access_token")
        if not isinstance(id_token, str) or not isinstance(access_token, str):
            raise HttpError(REFUSED, "The identity provider gave no ID token and access token")
        try:
            user = self._checked(await self._verified(id_token), nonce)
            lifetime_s = number_of(tokens, "expires_in")
        except JwtError as error:
            raise HttpError(REFUSED, f"The ID token is not accepted: {error}") from None
        ends_ms = None if lifetime_s is None else self._clock.now_ms() + lifetime_s * MS_PER_S
        return Granted(user, access_token, ends_ms)

    async def _token_answer(self, code: str, verifier: str) -> WebAnswer:
        settings = self.settings
        endpoint = (await self._endpoints())["token_endpoint"]
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": settings.redirect_uri,
            "code_verifier": verifier,
        }
        headers = {"Content-Type": FORM, "Cache-Control": "no-cache"}
        if settings.client_secret is None:
            form["client_id"] = settings.client_id
        else:
            pair = f"{quote_plus(settings.client_id)}:{quote_plus(settings.client_secret)}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        answer = await self._asked("POST", endpoint, headers, urlencode(form).encode())
        if answer.status != OK:
            raise HttpError(
                REFUSED, f"The identity provider refuses the login: status {answer.status}"
            )
        return answer

    def _checked(self, jwt: Jwt, nonce: str) -> str:
        """What OpenID Connect Core 3.1.3.7 requires of a signed ID token."""
        client_id, claims = self.settings.client_id, jwt.claims
        rules = TokenRules(issuer=self.settings.issuer, audiences=(client_id,))
        bearer = check_claims(claims, rules, self._clock.now_ms())
        audience = claims.get("aud")
        if isinstance(audience, list) and len(audience) > 1 and "azp" not in claims:
            raise JwtError("it is for several audiences and names no authorized party (azp)")
        if claims.get("azp", client_id) != client_id:
            raise JwtError("it was issued to another client (azp)")
        if claims.get("nonce") != nonce:
            raise JwtError("it belongs to another login (nonce)")
        return bearer.name

    async def _verified(self, token: str) -> Jwt:
        """With keys that are fetched again where they lack the one that is named."""
        jwt = parse_jwt(token)
        if self._keys is None or not self._keys.has(jwt.header.get("kid")):
            answer = await self._asked("GET", (await self._endpoints())["jwks_uri"])
            read: Any = import_module(KEYS).read_keys
            self._keys = read(answer.body)
        assert self._keys is not None
        self._keys.verify(jwt)
        return jwt

    async def _endpoints(self) -> Mapping[str, Any]:
        if self._document is None:
            issuer = self.settings.issuer
            place = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
            answer = await self._asked("GET", place)
            found = _object(answer.body, "document about the identity provider")
            if answer.status != OK or found.get(ISSUER) != issuer:
                raise HttpError(AWAY, f"{place} does not describe the issuer {issuer}")
            for name in ENDPOINTS:
                _ensure_endpoint(name, found.get(name))
            self._document = found
        return self._document

    async def _asked(
        self, method: str, url: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> WebAnswer:
        try:
            return await self._web.ask(method, url, headers or {}, body)
        except MoldauError as error:
            raise HttpError(AWAY, f"The identity provider does not answer: {error}") from None


def _object(body: bytes, what: str) -> dict[str, Any]:
    try:
        return read_object(body, what)
    except JwtError as error:
        raise HttpError(AWAY, f"The identity provider's answer is of no use: {error}") from None


def _ensure_endpoint(name: str, url: object) -> None:
    try:
        _ensure_guarded(name, url if isinstance(url, str) else "")
    except SettingError as error:
        raise HttpError(AWAY, f"The identity provider cannot be used: {error}") from None
