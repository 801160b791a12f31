"""Addresses to listen on, as `listeners` spells them: name://host:port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from moldau.config.refusals import InvalidSettingError

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
PORT_MAX = 65_535


class Listener(NamedTuple):
    """One listener."""

    name: str
    host: str
    """Empty for every address of the machine."""
    port: int
    """0 lets the system choose."""
    protocol: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.name}://{host}:{self.port}"


class _Given(Protocol):
    @property
    def given(self) -> Mapping[str, str]: ...
    @property
    def controller_listener_names(self) -> tuple[str, ...]: ...


def parse_protocols(text: str, settings: _Given) -> dict[str, str]:
    """The map from names to protocols; controllers are plain by default."""
    name = "listener.security.protocol.map"
    found: dict[str, str] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        listener, _, protocol = entry.rpartition(":")
        if not listener or protocol.upper() not in PROTOCOLS:
            raise InvalidSettingError(
                name, text, f"{entry} is not listener:protocol, with one of {', '.join(PROTOCOLS)}"
            )
        found[listener.strip()] = protocol.strip().upper()
    if name not in settings.given:
        found.update(dict.fromkeys(settings.controller_listener_names, "PLAINTEXT"))
    return found


def parse_listeners(
    setting: str, texts: Sequence[str], protocols: Mapping[str, str]
) -> tuple[Listener, ...]:
    """All of them, none twice."""
    whole = ",".join(texts)
    found: list[Listener] = []
    for text in texts:
        listener = _parse(setting, whole, text, protocols)
        for other in found:
            if other.name == listener.name:
                raise InvalidSettingError(
                    setting, whole, "Each listener must have a different name"
                )
            if other.port == listener.port != 0 and other.host == listener.host:
                raise InvalidSettingError(
                    setting, whole, "Each listener must have a different port"
                )
        found.append(listener)
    return tuple(found)


def _parse(setting: str, whole: str, text: str, protocols: Mapping[str, str]) -> Listener:
    name, separator, address = text.strip().partition("://")
    host, colon, port = address.rpartition(":")
    number = int(port) if port.isascii() and port.isdigit() else -1
    if not (name and separator and colon) or not 0 <= number <= PORT_MAX:
        raise InvalidSettingError(setting, whole, f"{text!r} is not of the form name://host:port")
    protocol = protocols.get(name, protocols.get(name.upper()))
    if protocol is None:
        reason = f"listener {name} has no entry in listener.security.protocol.map"
        raise InvalidSettingError(setting, whole, reason)
    return Listener(
        name.upper() if name not in protocols else name, host.strip("[]"), number, protocol
    )
