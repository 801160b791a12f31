"""The mechanisms of one listener, as its settings are now.

A setting of a mechanism stands behind the listener's prefix and the mechanism's name:
`listener.name.outside.plain.sasl.jaas.config`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial

from moldau.broker.server.broker import Broker
from moldau.broker.server.login.accounts import Tokens, is_password_of, scram_account
from moldau.broker.server.login.bearer import (
    NoTokens,
    SignedTokens,
    TokenValidator,
    UnsecuredTokens,
    check_bearer,
    lacks_keys,
    wants_unsecured,
    without_keys,
)
from moldau.broker.server.login.kerberos import KerberosService, check_kerberos
from moldau.broker.server.login.own_code import (
    HANDLER,
    OwnPasswords,
    OwnTokens,
    is_own_code,
    own_function,
)
from moldau.broker.server.login.providers import Providers
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.network.outgoing.web import terms_of_options
from moldau.network.sasl.dialogue import Serving
from moldau.network.sasl.gssapi import GSSAPI
from moldau.network.sasl.jaas import JaasError, JaasLogin, parse_jaas
from moldau.network.sasl.oauth import OAUTHBEARER
from moldau.network.sasl.oauth.bearer import serve_bearer
from moldau.network.sasl.plain import PLAIN, serve_plain
from moldau.network.sasl.scram import Account, Decoys, serve_scram
from moldau.network.sasl.scram_keys import ScramMechanism

__all__ = ["SaslListener", "check_mechanisms", "fetch_early", "for_mechanism", "jaas_of"]

log = logging.getLogger(__name__)

PLAIN_USER = "user_"
"""What Java's PlainLoginModule calls the password of a user, before the name."""
SCRAMS = {mechanism.sasl_name: mechanism for mechanism in ScramMechanism}
KNOWN = (PLAIN, *SCRAMS, OAUTHBEARER, GSSAPI)
JAAS_CONFIG = "sasl.jaas.config"
JAVA = "org.apache.kafka.common.security"
MODULES = {
    **dict.fromkeys(SCRAMS, f"{JAVA}.scram.ScramLoginModule"),
    OAUTHBEARER: f"{JAVA}.oauthbearer.OAuthBearerLoginModule",
}
"""Of mechanisms whose options may be empty."""


def jaas_of(settings: BrokerSettings, mechanism: str, listener: str) -> JaasLogin | None:
    """The login of a mechanism, if one is set; `settings` are those of the listener."""
    text = _of_mechanism(settings, mechanism, JAAS_CONFIG)
    if text is None:
        return None
    try:
        return parse_jaas(text)
    except JaasError as error:
        raise SettingError(f"listener {listener}, mechanism {mechanism}: {error}") from None


def for_mechanism(settings: BrokerSettings, mechanism: str) -> BrokerSettings:
    """As this mechanism of a listener sees them; `settings` are those of the listener."""
    prefix = f"{mechanism.lower()}."
    found = {
        name.removeprefix(prefix): text
        for name, text in settings.all_given.items()
        if name.startswith(prefix)
    }
    return settings.changed({**found}) if found else settings


def _of_mechanism(settings: BrokerSettings, mechanism: str, name: str) -> str | None:
    return settings.all_given.get(f"{mechanism.lower()}.{name}")


def check_mechanisms(settings: BrokerSettings, listener: str) -> None:
    """Raise `SettingError` for a listener on which no client could log in."""
    own = settings.for_listener(listener)
    names = own.sasl_enabled_mechanisms
    if not names:
        raise SettingError(f"listener {listener} has no mechanism in sasl.enabled.mechanisms")
    for mechanism in names:
        if mechanism not in KNOWN:
            raise SettingError(
                f"sasl.enabled.mechanisms of listener {listener} has {mechanism}; what is there is "
                f"{', '.join(KNOWN)}"
            )
        login = jaas_of(own, mechanism, listener)
        if mechanism == OAUTHBEARER:
            _check_bearer(own, login, listener)
        if mechanism == GSSAPI:
            check_kerberos(for_mechanism(own, mechanism), login, listener)
        handler = _handler_of(own, mechanism)
        if handler is not None and mechanism != OAUTHBEARER:
            _check_handler(handler, mechanism, listener)
        if login is None and not is_own_code(handler):
            raise SettingError(_missing_login(mechanism, listener))


def _check_bearer(own: BrokerSettings, login: JaasLogin | None, listener: str) -> None:
    """Where others can log in, tokens that nothing can verify are no reason not to start."""
    options = {} if login is None else login.options
    chosen = for_mechanism(own, OAUTHBEARER)
    terms_of_options(options)
    others = len(own.sasl_enabled_mechanisms) > 1
    if login is not None and others and lacks_keys(chosen, options):
        log.warning("%s; until then every token is refused", without_keys(listener))
    else:
        check_bearer(chosen, listener, options)


def _missing_login(mechanism: str, listener: str) -> str:
    """Kafka wants one of every mechanism, even where its options may be empty."""
    name = f"listener.name.{listener.lower()}.{mechanism.lower()}.{JAAS_CONFIG}"
    if mechanism == PLAIN:
        return (
            f"listener {listener} offers {mechanism} and has no users: set {name} to a "
            'PlainLoginModule with user_NAME="PASSWORD"'
        )
    return (
        f"listener {listener} offers {mechanism} and has no login for it: set {name}; "
        f"'{MODULES[mechanism]} required;' is enough for what clients need"
    )


def _handler_of(settings: BrokerSettings, mechanism: str) -> str | None:
    """As in Kafka it counts only behind the listener's prefix and the mechanism's."""
    return _of_mechanism(settings, mechanism, HANDLER) or None


def _check_handler(handler: str, mechanism: str, listener: str) -> None:
    if mechanism != PLAIN or not is_own_code(handler):
        raise SettingError(
            f"{HANDLER} of listener {listener}, mechanism {mechanism}, is {handler}: here it is a "
            f"function of Python as MODULE:NAME, for {PLAIN} and {OAUTHBEARER}"
        )
    own_function(handler, HANDLER, listener)


def fetch_early(settings: BrokerSettings, listener: str, providers: Providers) -> None:
    """Have keys at hand before the first login: of an identity provider, or our own of Kerberos."""
    own = settings.for_listener(listener)
    if GSSAPI in own.sasl_enabled_mechanisms:
        KerberosService(own, jaas_of(own, GSSAPI, listener), providers.kerberos).begin()
    if OAUTHBEARER in own.sasl_enabled_mechanisms:
        chosen = for_mechanism(own, OAUTHBEARER)
        url = chosen.sasl_oauthbearer_jwks_endpoint_url
        by_keys = not is_own_code(chosen.sasl_server_callback_handler_class)
        if url is not None and by_keys and not wants_unsecured(chosen):
            providers.keys_of(url, chosen, jaas_of(own, OAUTHBEARER, listener))


class SaslListener:
    """Makes the server's side of dialogues."""

    def __init__(
        self,
        name: str,
        settings: BrokerSettings,
        broker: Broker,
        decoys: Decoys,
        providers: Providers,
    ) -> None:
        own = settings.for_listener(name)
        self.name = name
        self.mechanisms: tuple[str, ...] = own.sasl_enabled_mechanisms
        self.frame_bytes_max: int = own.sasl_server_max_receive_size
        self.failure_delay_ms: int = own.connection_failed_authentication_delay_ms
        self._settings = own
        self._broker = broker
        self._decoys = decoys
        self._tokens = Tokens(broker)
        self._bearer = self._token_validator(providers) if OAUTHBEARER in self.mechanisms else None
        self._passwords = self._own_passwords()
        self._kerberos = KerberosService(own, jaas_of(own, GSSAPI, name), providers.kerberos)
        self._makers = {mechanism: self._maker(mechanism) for mechanism in self.mechanisms}

    def __repr__(self) -> str:
        return f"SaslListener({self.name}: {', '.join(self.mechanisms)})"

    def serve(self, mechanism: str) -> Serving:
        """A dialogue that waits for the client's first token."""
        dialogue = self._makers[mechanism]()
        next(dialogue)
        return dialogue

    def prepare(self, mechanism: str, response: bytes, then: Callable[[], None]) -> None:
        """Go on when the mechanism can decide what the client has sent: mostly at once."""
        if mechanism == OAUTHBEARER and self._bearer is not None:
            self._bearer.prepare(response, then)
        elif mechanism == PLAIN and self._passwords is not None:
            self._passwords.prepare(response, then)
        else:
            then()

    def session_ms_max(self, mechanism: str) -> int:
        """`connections.max.reauth.ms`; 0 for ever."""
        given = _of_mechanism(self._settings, mechanism, "connections.max.reauth.ms")
        if given is not None:
            return BrokerSettings.KEYS["connections.max.reauth.ms"].parse(given)  # type: ignore[no-any-return]
        return self._settings.connections_max_reauth_ms

    def _maker(self, mechanism: str) -> Callable[[], Serving]:
        if mechanism in SCRAMS:
            return partial(self._serve_scram, SCRAMS[mechanism])
        if mechanism == GSSAPI:
            return self._kerberos.serve
        if self._bearer is not None and mechanism == OAUTHBEARER:
            return partial(serve_bearer, self._bearer.validate)
        if self._passwords is not None:
            return partial(serve_plain, self._passwords.is_password)
        return partial(serve_plain, is_password_of(self._users(mechanism)))

    def _own_passwords(self) -> OwnPasswords | None:
        """Where a function decides in the place of the users in the settings."""
        handler = _handler_of(self._settings, PLAIN)
        if handler is None or PLAIN not in self.mechanisms:
            return None
        return OwnPasswords(own_function(handler, HANDLER, self.name), self._broker.tasks)

    def _token_validator(self, providers: Providers) -> TokenValidator:
        own, clock = for_mechanism(self._settings, OAUTHBEARER), self._broker.clock
        login = jaas_of(self._settings, OAUTHBEARER, self.name)
        options = {} if login is None else login.options
        try:
            check_bearer(own, self.name, options)
        except SettingError as error:
            return NoTokens(str(error))
        handler = own.sasl_server_callback_handler_class
        if handler is not None and is_own_code(handler):
            claim = own.sasl_oauthbearer_sub_claim_name
            function = own_function(handler, HANDLER, self.name)
            return OwnTokens(function, self._broker.tasks, clock, claim)
        url = own.sasl_oauthbearer_jwks_endpoint_url
        if url is None or wants_unsecured(own):
            return UnsecuredTokens(options, clock)
        return SignedTokens(own, providers.keys_of(url, own, login), clock)

    def _users(self, mechanism: str) -> Mapping[str, str]:
        login = jaas_of(self._settings, mechanism, self.name)
        return {} if login is None else login.prefixed(PLAIN_USER)

    def _serve_scram(self, mechanism: ScramMechanism) -> Serving:
        def find(name: str, is_token: bool) -> Account | None:  # as it is declared
            if is_token:
                return self._tokens.account(mechanism, name)
            return scram_account(self._broker.metadata.image, mechanism, name)

        return serve_scram(mechanism, find, self._decoys, self._broker.random)
