"""Tokens of OAUTHBEARER at a listener: who has to have signed them, and what they must hold.

    sasl.oauthbearer.jwks.endpoint.url           signed ones, by the keys that are there
    sasl.server.callback.handler.class           Kafka's OAuthBearerUnsecuredValidatorCallback-
                                                 Handler by its name: unsecured ones alone; or a
                                                 function of Python (`own_code`)

Without either, unsecured tokens are taken where an option of the login that begins with
`unsecuredValidator` declares what they must have. Else no token is taken: a listener that offers
nothing else is refused when the node starts, one with other mechanisms serves those, and the log
has a warning. Kafka takes unsecured tokens then, too, by which anyone can be anyone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from moldau.broker.server.login.own_code import HANDLER, is_own_code, own_function
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.network.outgoing.web import check_url
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.oauth.bearer import token_of
from moldau.network.sasl.oauth.jwt import JwtError, parse_jwt
from moldau.network.sasl.oauth.rules import Bearer, TokenRules, check_claims
from moldau.network.sasl.oauth.unsecured import VALIDATOR, check_unsecured
from moldau.platform.ports.clock import Clock

if TYPE_CHECKING:
    from moldau.broker.server.login.token_keys import TokenKeys

__all__ = [
    "NoTokens",
    "SignedTokens",
    "TokenValidator",
    "UnsecuredTokens",
    "check_bearer",
    "file_of",
    "lacks_keys",
    "wants_unsecured",
    "without_keys",
]

JAVA: Final = "org.apache.kafka.common.security.oauthbearer"
UNSECURED: Final = f"{JAVA}.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler"
SIGNED: Final = (
    f"{JAVA}.OAuthBearerValidatorCallbackHandler",
    f"{JAVA}.secured.OAuthBearerValidatorCallbackHandler",
)
"""Kafka's name of what is done here, and the one that it had before version 4."""
URL: Final = "sasl.oauthbearer.jwks.endpoint.url"
FILE: Final = "file://"


def wants_unsecured(settings: BrokerSettings) -> bool:
    return settings.sasl_server_callback_handler_class == UNSECURED


def file_of(url: str) -> str | None:
    """The path of a file:// URL; None for other URLs."""
    return url.removeprefix(FILE).removeprefix("localhost") if url.startswith(FILE) else None


def check_bearer(settings: BrokerSettings, listener: str, options: Mapping[str, str]) -> None:
    """Raise `SettingError` where no token could be verified, or the wrong ones would be accepted.

    `settings` are those of the listener and the mechanism, `options` those of its login.
    """
    handler, url = (
        settings.sasl_server_callback_handler_class,
        settings.sasl_oauthbearer_jwks_endpoint_url,
    )
    if is_own_code(handler):
        own_function(handler or "", HANDLER, listener)
        return
    if handler is not None and handler not in (UNSECURED, *SIGNED):
        raise SettingError(
            f"{HANDLER} of listener {listener} is {handler}, and no class of Java can run here; "
            f"leave it out and set {URL}, name a function of Python as MODULE:NAME, or "
            f"{UNSECURED} for tests"
        )
    if handler == UNSECURED:
        return
    if url is not None:
        _check_place(url, listener)
    elif handler is not None or lacks_keys(settings, options):
        raise SettingError(without_keys(listener))


def lacks_keys(settings: BrokerSettings, options: Mapping[str, str]) -> bool:
    """Whether nothing is set by which a token could be verified; Kafka takes unsecured ones."""
    return (
        settings.sasl_server_callback_handler_class is None
        and settings.sasl_oauthbearer_jwks_endpoint_url is None
        and not any(name.startswith(VALIDATOR) for name in options)
    )


def without_keys(listener: str) -> str:
    """What is missing at such a listener, and the remedy."""
    return (
        f"listener {listener} offers OAUTHBEARER and has no keys to verify tokens with: set "
        f"{URL} to the address, or the file, of the identity provider's keys (JWKS); "
        f"unsecured tokens are taken where {HANDLER} is {UNSECURED}"
    )


def _check_place(url: str, listener: str) -> None:
    path = file_of(url)
    if path is not None and path.startswith("/"):
        return
    try:
        check_url(url)
    except ValueError as error:
        raise SettingError(
            f"{URL} of listener {listener} is neither file:///PATH nor an address: {error}"
        ) from None


class TokenValidator(Protocol):
    """What a listener makes of tokens."""

    def prepare(self, response: bytes, then: Callable[[], None]) -> None:
        """Go on when this message of a client can be decided."""
        ...

    def validate(self, token: str) -> Bearer:
        """Whom it names, or `JwtError`."""
        ...


class SignedTokens:
    """Those of an identity provider."""

    def __init__(self, settings: BrokerSettings, keys: TokenKeys, clock: Clock) -> None:
        self._rules = TokenRules(
            issuer=settings.sasl_oauthbearer_expected_issuer,
            audiences=settings.sasl_oauthbearer_expected_audience,
            scope_claim=settings.sasl_oauthbearer_scope_claim_name,
            name_claim=settings.sasl_oauthbearer_sub_claim_name,
            skew_s=settings.sasl_oauthbearer_clock_skew_seconds,
        )
        self._keys = keys
        self._clock = clock

    def __repr__(self) -> str:
        return f"SignedTokens({self._keys})"

    def prepare(self, response: bytes, then: Callable[[], None]) -> None:
        try:
            key_id = parse_jwt(token_of(response)).header.get("kid")
        except SaslError:
            then()  # the dialogue refuses it, with the cause
            return
        self._keys.when_known(key_id, then)

    def validate(self, token: str) -> Bearer:
        jwt = parse_jwt(token)
        keys = self._keys.keys
        if keys is None:
            raise JwtError("the keys of the identity provider are not known")
        keys.verify(jwt)
        return check_claims(jwt.claims, self._rules, self._clock.now_ms())


class NoTokens:
    """None: the mechanism was added to a listener that cannot verify any."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def prepare(self, response: bytes, then: Callable[[], None]) -> None:
        then()

    def validate(self, token: str) -> Bearer:
        raise JwtError(self._reason)


class UnsecuredTokens:
    """Those that anyone can write."""

    def __init__(self, options: Mapping[str, str], clock: Clock) -> None:
        self._options = options
        self._clock = clock

    def __repr__(self) -> str:
        return "UnsecuredTokens()"

    def prepare(self, response: bytes, then: Callable[[], None]) -> None:
        then()

    def validate(self, token: str) -> Bearer:
        return check_unsecured(token, self._options, self._clock.now_ms())
