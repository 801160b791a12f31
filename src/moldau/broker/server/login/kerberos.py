"""GSSAPI at a listener: the service's own keys, and short names for its clients' principals."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import KerberosError
from moldau.network.sasl.dialogue import Serving
from moldau.network.sasl.gssapi import GssContext, Kerberos, serve_gssapi
from moldau.network.sasl.jaas import JaasLogin
from moldau.network.sasl.kerberos_names import NameRuleError, local_name, parse_name_rules

__all__ = ["KerberosService", "check_kerberos"]

PRINCIPAL = "principal"


def check_kerberos(settings: BrokerSettings, login: JaasLogin | None, listener: str) -> None:
    """Raise `SettingError` where no ticket could be read."""
    prefix = f"listener.name.{listener.lower()}.gssapi"
    if login is None or "@" not in login.options.get(PRINCIPAL, ""):
        raise SettingError(
            f"listener {listener} offers GSSAPI and has no name in Kerberos: set "
            f"{prefix}.sasl.jaas.config to a Krb5LoginModule with keyTab and "
            'principal="SERVICE/HOST@REALM"'
        )
    try:
        parse_name_rules(settings.sasl_kerberos_principal_to_local_rules)
    except NameRuleError as error:
        raise SettingError(f"listener {listener}: {error}") from None
    if find_spec("gssapi") is None:
        raise SettingError(
            f"listener {listener} offers GSSAPI, and tickets are read by the package gssapi, which "
            "is not installed: pip install 'moldau[kerberos]'"
        )


class KerberosService:
    """The server's side of GSSAPI."""

    def __init__(
        self,
        settings: BrokerSettings,
        login: JaasLogin | None,
        kerberos: Callable[[], Kerberos] | None,
    ) -> None:
        self._settings = settings
        self._login = login
        self._kerberos = kerberos
        self._accept: Callable[[], GssContext] | None = None

    def begin(self) -> None:
        """Read the keys, or raise `SettingError`."""
        try:
            self._ready()
        except KerberosError as error:
            raise SettingError(f"the keys of {self._principal} cannot be read: {error}") from None

    def serve(self) -> Serving:
        rules = parse_name_rules(self._settings.sasl_kerberos_principal_to_local_rules)
        realm = self._principal.rpartition("@")[2]
        return serve_gssapi(
            lambda: self._ready()(), lambda principal: local_name(principal, rules, realm)
        )

    @property
    def _principal(self) -> str:
        return "" if self._login is None else self._login.options.get(PRINCIPAL, "")

    def _ready(self) -> Callable[[], GssContext]:
        if self._accept is None:
            if self._kerberos is None or self._login is None:
                raise KerberosError("there is no Kerberos here")
            self._accept = self._kerberos().acceptor(self._login.options)
        return self._accept
