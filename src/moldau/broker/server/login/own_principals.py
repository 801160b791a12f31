"""A function of one's own that makes the principal of what a peer has proved.

    principal.builder.class=package.module:function        also behind a listener's prefix

It stands where Kafka has a `KafkaPrincipalBuilder`, for listeners of every protocol, those of nodes
included. It is given a `Proof` and returns a name, for `User:name`, or a pair of a kind and a name;
anything else, and whatever it raises, is a refusal. It is called on the loop, once for a
connection: it decides by what it is given, and asks no other service. As with Kafka the rules of
`ssl.principal.mapping.rules` are not applied before it.

The setting holds where it stands in the node's file, and only there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from moldau.broker.server.login.own_code import Edge, is_own_code, own_function
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.network.connection import Connection
from moldau.network.principal import Principal
from moldau.network.tls.distinguished_name import subject_of

__all__ = ["OwnPrincipals", "Proof", "check_builder", "own_principals"]

SETTING: Final = "principal.builder.class"
KNOWN: Final = "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder"
USER: Final = "User"
PAIR: Final = 2
NAME_SIZE_MAX: Final = 32_767
"""Requests that are forwarded have a principal as a text whose length is two bytes."""


class Proof(NamedTuple):
    """What a peer has proved: `name` by a login, `certificate` by TLS, or nothing."""

    protocol: str
    listener: str
    address: str
    mechanism: str | None
    name: str | None
    subject: str | None
    """Of its certificate, as `CN=alice,O=Company`."""
    certificate: bytes | None
    """Whole, in DER."""


class OwnPrincipals:
    """A listener's principals, made by a function of the operator's."""

    def __init__(self, function: Callable[[Proof], Any], protocol: str, listener: str) -> None:
        self._function = function
        self._protocol = protocol
        self._listener = listener

    def __repr__(self) -> str:
        return f"OwnPrincipals({self._listener})"

    def principal_of(
        self, connection: Connection, mechanism: str | None = None, name: str | None = None
    ) -> Principal:
        """Or `MoldauError`, where the function gives none."""
        shown: bytes | None = getattr(connection.link, "peer_certificate", None)
        subject = None if shown is None else subject_of(shown)
        address = connection.peer.host
        proof = Proof(self._protocol, self._listener, address, mechanism, name, subject, shown)
        found = None
        with Edge() as edge:
            found = self._function(proof)
        if edge.kind:
            raise MoldauError(f"the function of {SETTING} raised {edge.kind}")
        return _principal(found)


def _principal(found: Any) -> Principal:  # noqa: ANN401  # whatever it returns
    kind, name = found if isinstance(found, tuple) and len(found) == PAIR else (USER, found)
    if not _is_name(kind) or not _is_name(name) or ":" in kind:
        raise MoldauError(f"the function of {SETTING} gave no name")
    return Principal(kind, name)


def _is_name(text: object) -> bool:
    return isinstance(text, str) and 0 < len(text.encode("utf-8", "ignore")) <= NAME_SIZE_MAX


def check_builder(settings: BrokerSettings, listener: str) -> None:
    """Raise `SettingError` for what cannot make principals."""
    name = settings.for_listener(listener).principal_builder_class or KNOWN
    if name == KNOWN:
        return
    if not is_own_code(name):
        raise SettingError(
            f"{SETTING} of listener {listener} is {name}, and no class of Java can run here; a "
            f"function of Python is MODULE:NAME, and Kafka's own class is {KNOWN}"
        )
    own_function(name, SETTING, listener)


def own_principals(settings: BrokerSettings, listener: str, protocol: str) -> OwnPrincipals | None:
    """None where Kafka's own class makes them; `settings` are those of the node's file."""
    name = settings.for_listener(listener).principal_builder_class
    if name is None or not is_own_code(name):
        return None
    return OwnPrincipals(own_function(name, SETTING, listener), protocol, listener)
