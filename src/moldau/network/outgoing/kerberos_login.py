"""GSSAPI on outgoing connections: a ticket for the service that is reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from moldau.errors import KerberosError, NetworkError
from moldau.network.outgoing.login import SaslLogin
from moldau.network.sasl.dialogue import Asking, SaslError
from moldau.network.sasl.gssapi import GSSAPI, GssContext, Kerberos, ask_gssapi
from moldau.network.sasl.jaas import JaasLogin
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Tasks

__all__ = ["KerberosLogin", "KerberosSettings", "kerberos_login"]


class KerberosSettings(Protocol):
    """Kerberos for a client, or for a node that logs in to others."""

    @property
    def sasl_kerberos_service_name(self) -> str | None: ...


class KerberosLogin(SaslLogin):
    """Gets a ticket before it begins, beside the loop: the centre may take its time."""

    def __init__(self, kerberos: Kerberos, login: JaasLogin, service: str, tasks: Tasks) -> None:
        super().__init__(GSSAPI, lambda: ask_gssapi(_Nothing(), b""))
        self._kerberos = kerberos
        self._login = login
        self._service = service
        self._tasks = tasks
        self._begins: dict[str, Callable[[], GssContext]] = {}

    async def begin(self, address: Address) -> Asking:
        host = address.host
        if host not in self._begins:
            self._begins[host] = self._kerberos.initiator(self._login.options, self._service, host)
        begin = self._begins[host]

        def first_step() -> tuple[GssContext, bytes]:
            context = begin()
            return context, context.step(b"")

        try:
            return ask_gssapi(*await self._tasks.offload(first_step))
        except KerberosError as error:
            reason = f"there is no ticket for {self._service}@{host}: {error}"
            raise NetworkError(str(address), reason) from error


class _Nothing:
    """Stands where no conversation has begun."""

    is_complete, initiator = False, ""

    def step(self, token: bytes) -> bytes:
        raise KerberosError("no ticket was asked for")

    wrap = unwrap = step


def kerberos_login(
    settings: KerberosSettings, login: JaasLogin, kerberos: Kerberos | None, tasks: Tasks
) -> KerberosLogin:
    """A login by Kerberos, or `SaslError` where something is missing."""
    if kerberos is None:
        raise SaslError("there is no Kerberos here to log in with by GSSAPI")
    service = settings.sasl_kerberos_service_name or login.options.get("serviceName")
    if not service:
        raise SaslError("a login by GSSAPI needs sasl.kerberos.service.name, which is mostly kafka")
    return KerberosLogin(kerberos, login, service, tasks)
