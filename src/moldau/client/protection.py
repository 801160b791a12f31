"""How a client's connections log in, as its settings say."""

from __future__ import annotations

from moldau.client.settings import SASL_PLAINTEXT, ClientSettings
from moldau.config.refusals import SettingError
from moldau.network.outgoing.login import sasl_login
from moldau.network.outgoing.protection import PLAIN, Protection
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.jaas import JaasError, parse_jaas
from moldau.platform.ports.randomness import Random

__all__ = ["protection_of"]


def protection_of(settings: ClientSettings, random: Random) -> Protection:
    """Or `SettingError`, where a login is asked for and not told."""
    if settings.security_protocol.upper() != SASL_PLAINTEXT:
        return PLAIN
    if settings.sasl_jaas_config is None:
        raise SettingError(
            "security.protocol=SASL_PLAINTEXT needs a login: set sasl.mechanism and "
            "sasl.jaas.config"
        )
    try:
        return sasl_login(settings.sasl_mechanism, parse_jaas(settings.sasl_jaas_config), random)
    except (JaasError, SaslError) as error:
        raise SettingError(str(error)) from None
