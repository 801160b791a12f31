"""Kerberos by the machine's own library, through the package `gssapi` (`moldau[kerberos]`).

Keys are in the keytab that the login names, or in the machine's; the realm and its centre in the
machine's krb5.conf. A client's tickets are kept in the memory of the process, got by its keytab and
renewed by the library; a login without a keytab uses the tickets of `kinit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from moldau.errors import KerberosError

__all__ = ["SystemKerberos"]


@contextmanager
def _translated() -> Iterator[Any]:
    """The package; its errors become ours."""
    try:
        gssapi = import_module("gssapi")
    except (ImportError, OSError) as error:
        text = "GSSAPI needs the package gssapi: pip install 'moldau[kerberos]'"
        raise KerberosError(f"{text} ({error})") from None
    try:
        yield gssapi
    except gssapi.exceptions.GSSError as error:
        text = " ".join(str(error).split())
        raise KerberosError(f"Kerberos refuses: {text}") from None


class SystemKerberos:
    """See the head of the file."""

    def acceptor(self, options: Mapping[str, str]) -> Callable[[], _Context]:
        with _translated() as gssapi:
            keys = {"keytab": options["keyTab"]} if options.get("keyTab") else None
            credentials = gssapi.Credentials(
                name=_name(gssapi, options.get("principal")), usage="accept", store=keys
            )
        return lambda: _Context(credentials, "accept", None)

    def initiator(
        self, options: Mapping[str, str], service: str, host: str
    ) -> Callable[[], _Context]:
        kept: list[Any] = []

        def begin() -> _Context:
            with _translated() as gssapi:
                if not kept or kept[0].lifetime < 1:
                    kept[:] = [_tickets(gssapi, options)]
                hostbased = gssapi.NameType.hostbased_service
                target = gssapi.Name(f"{service}@{host}", name_type=hostbased)
                return _Context(kept[0], "initiate", target)

        return begin


def _name(gssapi: Any, principal: str | None) -> Any:  # noqa: ANN401  # objects of the package
    if not principal:
        return None
    return gssapi.Name(principal, name_type=gssapi.NameType.kerberos_principal)


def _tickets(gssapi: Any, options: Mapping[str, str]) -> Any:  # noqa: ANN401  # the same
    store = None
    if options.get("keyTab"):
        keys, owner = options["keyTab"], options.get("principal", "default")
        # The process has one table of these: another realm's user may have the same name.
        store = {"client_keytab": keys, "ccache": f"MEMORY:{owner} by {keys}"}
    elif options.get("ticketCache"):
        store = {"ccache": options["ticketCache"]}
    name = _name(gssapi, options.get("principal"))
    return gssapi.Credentials(name=name, usage="initiate", store=store)


class _Context:
    """One conversation of GSSAPI."""

    def __init__(self, credentials: object, usage: str, target: object) -> None:
        with _translated() as gssapi:
            mutual = gssapi.RequirementFlag.mutual_authentication
            wanted = {} if target is None else {"name": target, "flags": mutual}
            self._context = gssapi.SecurityContext(creds=credentials, usage=usage, **wanted)
            self._context.__DEFER_STEP_ERRORS__ = False  # an error is no token for the other side

    @property
    def is_complete(self) -> bool:
        return bool(self._context.complete)

    @property
    def initiator(self) -> str:
        with _translated():
            return str(self._context.initiator_name)

    def step(self, token: bytes) -> bytes:
        with _translated():
            return self._context.step(token or None) or b""

    def wrap(self, message: bytes) -> bytes:
        with _translated():
            wrapped: bytes = self._context.wrap(message, False).message
            return wrapped

    def unwrap(self, token: bytes) -> bytes:
        with _translated():
            found: bytes = self._context.unwrap(token).message
            return found
