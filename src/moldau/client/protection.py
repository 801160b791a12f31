"""How a client's connections are protected and log in, as its settings say."""

from __future__ import annotations

from importlib import import_module

from moldau.client.aio.world import ClientWorld
from moldau.client.settings.client import ClientSettings
from moldau.config.refusals import SettingError
from moldau.network.outgoing.login import sasl_login
from moldau.network.outgoing.protection import PLAIN, Protection
from moldau.network.outgoing.tls import TlsProtection
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.jaas import JaasError, JaasLogin, parse_jaas
from moldau.network.sasl.oauth import OAUTHBEARER
from moldau.network.tls.terms import terms_of
from moldau.platform.ports.tls import TlsError

__all__ = ["protection_of"]

KERBEROS_LOGIN = "moldau.network.outgoing.kerberos_login"
BEARER_LOGIN = "moldau.network.outgoing.bearer_login"
"""Imported where a client logs in by tokens: no other needs what it takes."""
TLS = ("SSL", "SASL_SSL")
SASL = "SASL_"


def protection_of(settings: ClientSettings, world: ClientWorld) -> Protection:
    """TLS and login by these settings, or `SettingError` where something is missing."""
    protocol = settings.security_protocol.upper()
    login = _login(settings, protocol, world) if protocol.startswith(SASL) else PLAIN
    if protocol not in TLS:
        return login
    try:
        return TlsProtection(world.network.tls(terms_of(settings), is_server=False), login)
    except TlsError as error:
        raise SettingError(str(error)) from None


def _login(settings: ClientSettings, protocol: str, world: ClientWorld) -> Protection:
    is_by_token = settings.sasl_mechanism == OAUTHBEARER
    if settings.sasl_jaas_config is None and not is_by_token:
        raise SettingError(
            f"security.protocol={protocol} needs a login: set sasl.mechanism and sasl.jaas.config"
        )
    try:
        text = settings.sasl_jaas_config
        login = None if text is None else parse_jaas(text)
        if login is None or is_by_token:
            return _by_token(settings, login, world)
        if settings.sasl_mechanism == "GSSAPI":
            made: Protection = import_module(KERBEROS_LOGIN).kerberos_login(
                settings, login, world.kerberos, world.tasks
            )
            return made
        return sasl_login(settings.sasl_mechanism, login, world.random)
    except (JaasError, SaslError) as error:
        raise SettingError(str(error)) from None


def _by_token(settings: ClientSettings, login: JaasLogin | None, world: ClientWorld) -> Protection:
    bearer_login = import_module(BEARER_LOGIN)
    place = bearer_login.LoginWorld(
        world.network, world.clock, world.random, world.tasks, world.files
    )
    made: Protection = bearer_login.bearer_login(settings, login, place)
    return made
