"""OAUTHBEARER on outgoing connections: where the token comes from, as Java's settings say.

sasl.login.callback.handler.class       a function, as MODULE:NAME; or Kafka's own class
sasl.oauthbearer.token.endpoint.url     https://... where a grant is asked for; file:///...
sasl.oauthbearer.jwt.retriever.class    which grant: client credentials, or JWT bearer
sasl.oauthbearer.assertion...           an assertion instead of a secret
oauth.access.token                      an option of the login: the token itself
unsecuredLoginStringClaim_sub           an option of the login: unsecured, for tests
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from importlib import import_module
from typing import Final, NamedTuple

from moldau.config.broker.oauth import TokenLoginKeys
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError, NetworkError
from moldau.network.outgoing.assertions import assertions_of
from moldau.network.outgoing.login import SaslLogin
from moldau.network.outgoing.tokens import (
    CalledForToken,
    ClientAssertion,
    ClientCredentials,
    JwtBearer,
    KeptToken,
    RetriedSource,
    TokenFile,
    TokenSource,
)
from moldau.network.outgoing.web import Web, check_url, terms_of_options
from moldau.network.sasl.dialogue import Asking, SaslError
from moldau.network.sasl.jaas import JaasLogin
from moldau.network.sasl.oauth import GIVEN, OAUTHBEARER
from moldau.network.sasl.oauth.bearer import ask_bearer
from moldau.network.sasl.oauth.unsecured import make_unsecured
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks

__all__ = ["BearerLogin", "LoginWorld", "bearer_login"]

JAVA: Final = "org.apache.kafka.common.security.oauthbearer"
KNOWN_HANDLERS: Final = (
    f"{JAVA}.OAuthBearerLoginCallbackHandler",
    f"{JAVA}.secured.OAuthBearerLoginCallbackHandler",
    f"{JAVA}.internals.unsecured.OAuthBearerUnsecuredLoginCallbackHandler",
)
"""What a file written for Java may name: done here by what else is set."""
HANDLER: Final = "sasl.login.callback.handler.class"
URL: Final = "sasl.oauthbearer.token.endpoint.url"
RETRIEVER: Final = "sasl.oauthbearer.jwt.retriever.class"
CLIENT: Final = "sasl.oauthbearer.client.credentials.client"
FILE: Final = "file://"
EXTENSIONS: Final = ("extension_", "unsecuredLoginExtension_")
TIMEOUT_MS: Final = 10_000
NO_OPTIONS: Final = JaasLogin("", {})


class _Retriever(Enum):
    """Kafka's classes, by what is behind the package's name."""

    DEFAULT = "DefaultJwtRetriever"
    CREDENTIALS = "ClientCredentialsJwtRetriever"
    FILE = "FileJwtRetriever"
    JWT_BEARER = "JwtBearerJwtRetriever"


class LoginWorld(NamedTuple):
    """What it takes to get a token."""

    network: Network
    clock: Clock
    random: Random
    tasks: Tasks
    files: Files | None = None


class _Unsecured(NamedTuple):
    """Made here, for whom the options name."""

    login: JaasLogin
    clock: Clock

    async def fetch(self) -> str:
        return make_unsecured(self.login.options, self.clock.now_ms())


class _Given(NamedTuple):
    """A token that the settings themselves hold."""

    token: str

    def __repr__(self) -> str:
        return "a token of the settings"

    async def fetch(self) -> str:
        return self.token


class BearerLogin(SaslLogin):
    """Fetches a token before it begins."""

    def __init__(self, token: KeptToken, login: JaasLogin) -> None:
        super().__init__(OAUTHBEARER, lambda: ask_bearer("none"))
        self._token = token
        self._login = login

    async def begin(self, address: Address) -> Asking:
        try:
            token = await self._token.get()
        except NetworkError:
            raise
        except MoldauError as error:
            reason = f"there is no token for OAUTHBEARER: {error}"
            raise NetworkError(str(address), reason) from error
        extensions = {
            name: text
            for prefix in EXTENSIONS
            for name, text in self._login.prefixed(prefix).items()
        }
        return ask_bearer(token, extensions)


def bearer_login(
    settings: TokenLoginKeys, login: JaasLogin | None, world: LoginWorld
) -> BearerLogin:
    """A login by tokens, or `SaslError` where no setting has where they come from."""
    login = login or NO_OPTIONS
    kept = KeptToken(
        _source(settings, login, world),
        world.clock,
        world.random,
        world.tasks,
        window_factor=settings.sasl_login_refresh_window_factor,
        window_jitter=settings.sasl_login_refresh_window_jitter,
        buffer_s=settings.sasl_login_refresh_buffer_seconds,
        least_s=settings.sasl_login_refresh_min_period_seconds,
    )
    return BearerLogin(kept, login)


def _source(settings: TokenLoginKeys, login: JaasLogin, world: LoginWorld) -> TokenSource:
    if GIVEN in login.options:
        return _Given(login.options[GIVEN])
    handler = settings.sasl_login_callback_handler_class
    if handler is not None and handler not in KNOWN_HANDLERS:
        return CalledForToken(_function(handler), world.tasks)
    retriever = _retriever(settings)
    url = settings.sasl_oauthbearer_token_endpoint_url
    if url is None and retriever is _Retriever.DEFAULT:
        return _unsecured(login, world)
    if url is None:
        raise SaslError(f"{RETRIEVER} is {retriever.value}, which needs {URL}")
    if url.startswith(FILE) and retriever in (_Retriever.DEFAULT, _Retriever.FILE):
        if world.files is None:
            raise SaslError(f"{URL}: files are not read here")
        return TokenFile(world.files, world.tasks, url.removeprefix(FILE))
    if retriever is _Retriever.FILE:
        raise SaslError(f"{RETRIEVER} is {retriever.value}, so {URL} has to begin with {FILE}")
    return _asked(url, retriever, settings, login, world)


def _retriever(settings: TokenLoginKeys) -> _Retriever:
    name = settings.sasl_oauthbearer_jwt_retriever_class
    try:
        return _Retriever((name or "").removeprefix(f"{JAVA}."))
    except ValueError:
        known = ", ".join(f"{JAVA}.{one.value}" for one in _Retriever)
        raise SaslError(
            f"{RETRIEVER} is {name}, and no class of Java can run here; known are {known}; a "
            f"function of Python is named by {HANDLER}"
        ) from None


def _function(name: str) -> Callable[[], str]:
    module, colon, attribute = name.partition(":")
    if not colon:
        raise SaslError(
            f"{HANDLER} is {name}, and no class of Java can run here; a function of Python is "
            "MODULE:NAME"
        )
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise SaslError(f"{HANDLER} is {name}, which cannot be imported: {error}") from None
    if not callable(found):
        raise SaslError(f"{HANDLER} is {name}, which cannot be called")
    made: Callable[[], str] = found
    return made


def _unsecured(login: JaasLogin, world: LoginWorld) -> TokenSource:
    try:
        is_given = bool(make_unsecured(login.options, 0))
    except ValueError:
        raise SaslError("an option unsecuredLogin... is not a number") from None
    if not is_given:
        raise SaslError(
            f"a login by OAUTHBEARER needs tokens: set {URL} to the identity provider's address, "
            f"or to a file:///PATH that holds one, or {HANDLER} to a function"
        )
    return _Unsecured(login, world.clock)


def _asked(
    url: str,
    retriever: _Retriever,
    settings: TokenLoginKeys,
    login: JaasLogin,
    world: LoginWorld,
) -> TokenSource:
    """An identity provider, for as long as it is only busy."""
    try:
        check_url(url)
    except ValueError as error:
        raise SaslError(f"{URL} is no address: {error}") from None
    return RetriedSource(
        _grant(_web(settings, login, world), url, retriever, settings, login, world),
        world.clock,
        world.tasks,
        settings.sasl_login_retry_backoff_ms,
        settings.sasl_login_retry_backoff_max_ms,
    )


def _grant(
    web: Web,
    url: str,
    retriever: _Retriever,
    settings: TokenLoginKeys,
    login: JaasLogin,
    world: LoginWorld,
) -> TokenSource:
    """As in Kafka an assertion comes before a secret."""
    options = login.options
    client_id = settings.sasl_oauthbearer_client_credentials_client_id or options.get("clientId")
    secret = settings.sasl_oauthbearer_client_credentials_client_secret
    secret = secret or options.get("clientSecret")
    scope = settings.sasl_oauthbearer_scope or options.get("scope")
    is_bearer = retriever is _Retriever.JWT_BEARER
    has_file = settings.sasl_oauthbearer_assertion_file is not None
    if is_bearer or has_file or settings.sasl_oauthbearer_assertion_claim_iss is not None:
        assertions = assertions_of(settings, world.files, world.tasks, world.clock, world.random)
        if is_bearer:
            return JwtBearer(web, url, assertions, scope)
        return ClientAssertion(web, url, assertions, client_id, scope)
    if not client_id or not secret:
        raise SaslError(f"{URL} needs {CLIENT}.id and {CLIENT}.secret")
    return ClientCredentials(web, url, client_id, secret, scope)


def _web(settings: TokenLoginKeys, login: JaasLogin, world: LoginWorld) -> Web:
    try:
        terms = terms_of_options(login.options)
    except SettingError as error:
        raise SaslError(str(error)) from None
    return Web(
        network=world.network,
        tasks=world.tasks,
        terms=terms,
        connect_timeout_ms=settings.sasl_login_connect_timeout_ms or TIMEOUT_MS,
        read_timeout_ms=settings.sasl_login_read_timeout_ms or TIMEOUT_MS,
    )
