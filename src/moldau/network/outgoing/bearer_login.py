"""OAUTHBEARER on outgoing connections: where the token comes from, as Java's settings say.

sasl.login.callback.handler.class       a function, as MODULE:NAME; or Kafka's own class
sasl.oauthbearer.token.endpoint.url     https://... the grant of client credentials; file:///...
unsecuredLoginStringClaim_sub           an option of the login: unsecured, for tests
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple

from moldau.config.broker.oauth import TokenLoginKeys
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError, NetworkError
from moldau.network.outgoing.login import SaslLogin
from moldau.network.outgoing.tokens import (
    CalledForToken,
    ClientCredentials,
    KeptToken,
    TokenFile,
    TokenSource,
)
from moldau.network.outgoing.web import Web, check_url, terms_of_options
from moldau.network.sasl.dialogue import Asking, SaslError
from moldau.network.sasl.jaas import JaasLogin
from moldau.network.sasl.oauth import OAUTHBEARER
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
CLIENT: Final = "sasl.oauthbearer.client.credentials.client"
FILE: Final = "file://"
EXTENSIONS: Final = ("extension_", "unsecuredLoginExtension_")
TIMEOUT_MS: Final = 10_000
NO_OPTIONS: Final = JaasLogin("", {})


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
    """Or `SaslError`, where nothing says where a token comes from."""
    login = login or NO_OPTIONS
    kept = KeptToken(
        _source(settings, login, world),
        world.clock,
        world.random,
        world.tasks,
        window_factor=settings.sasl_login_refresh_window_factor,
        window_jitter=settings.sasl_login_refresh_window_jitter,
    )
    return BearerLogin(kept, login)


def _source(settings: TokenLoginKeys, login: JaasLogin, world: LoginWorld) -> TokenSource:
    handler = settings.sasl_login_callback_handler_class
    if handler is not None and handler not in KNOWN_HANDLERS:
        return CalledForToken(_function(handler), world.tasks)
    url = settings.sasl_oauthbearer_token_endpoint_url
    if url is None:
        return _unsecured(login, world)
    if url.startswith(FILE):
        if world.files is None:
            raise SaslError(f"{URL}: files are not read here")
        return TokenFile(world.files, world.tasks, url.removeprefix(FILE))
    return _credentials(url, settings, login, world)


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


def _credentials(
    url: str, settings: TokenLoginKeys, login: JaasLogin, world: LoginWorld
) -> TokenSource:
    try:
        check_url(url)
    except ValueError as error:
        raise SaslError(f"{URL} is no address: {error}") from None
    options = login.options
    client_id = settings.sasl_oauthbearer_client_credentials_client_id or options.get("clientId")
    secret = settings.sasl_oauthbearer_client_credentials_client_secret
    secret = secret or options.get("clientSecret")
    if not client_id or not secret:
        raise SaslError(f"{URL} needs {CLIENT}.id and {CLIENT}.secret")
    try:
        terms = terms_of_options(options)
    except SettingError as error:
        raise SaslError(str(error)) from None
    web = Web(
        network=world.network,
        tasks=world.tasks,
        terms=terms,
        connect_timeout_ms=settings.sasl_login_connect_timeout_ms or TIMEOUT_MS,
        read_timeout_ms=settings.sasl_login_read_timeout_ms or TIMEOUT_MS,
    )
    scope = settings.sasl_oauthbearer_scope or options.get("scope")
    return ClientCredentials(web, url, client_id, secret, scope)
