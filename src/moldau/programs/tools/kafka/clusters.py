"""The clients of a tool: what `--bootstrap-server` and `--command-config` ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from moldau.errors import FileMissingError
from moldau.platform.lazy_names import imported
from moldau.platform.ports.files import Files, read_whole
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of, java_cause_of

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = [
    "BOOTSTRAP",
    "COMMAND_CONFIG",
    "CONTROLLERS",
    "DRY_RUN",
    "admin_of",
    "cause_of",
    "check_addresses",
    "connection_settings",
    "java_cause_of",
    "pairs_of",
    "properties_of",
    "settings_file",
]

PROPERTIES = "moldau.config.java_properties"
CALLERS_ADMIN = "moldau.client.sync.admin.callers"
"""Imported by tools that ask a cluster."""

OF_CONNECTIONS = ("bootstrap.", "client.", "sasl.", "security.", "ssl.")
"""How the settings begin that matter to every client."""
BOOTSTRAP = Flag(
    "bootstrap-server", "The brokers to begin at. Required.", Takes.TEXT, "HOST:PORT,..."
)
COMMAND_CONFIG = Flag(
    "command-config", "A file of properties with settings of the client.", Takes.TEXT, "FILE"
)
CONTROLLERS = Flag(
    "bootstrap-controller", "The controllers to begin at, instead.", Takes.TEXT, "HOST:PORT,..."
)
DRY_RUN = Flag("dry-run", "Show what would be done, and do nothing.")


def connection_settings(settings: Mapping[str, object]) -> dict[str, object]:
    """Those of a producer's or consumer's settings with which an admin client connects as well."""
    return {key: value for key, value in settings.items() if key.startswith(OF_CONNECTIONS)}


def admin_of(
    given: Given, world: World, client_id: str = "", *, default_server: str | None = None
) -> Admin:
    """A client for what the flags name, to be closed."""
    path = given.text(COMMAND_CONFIG.name)
    older = given.older_of(COMMAND_CONFIG.name)
    if older is not None:
        print(
            f"Option --{older} has been deprecated and will be removed in a future version. Use "
            f"--{COMMAND_CONFIG.name} instead.",
            file=world.out,
        )
        path = path or given.text(older)
    settings = settings_file(world.files, path)
    servers = given.text(BOOTSTRAP.name) or default_server
    if servers is not None:
        settings["bootstrap.servers"] = servers
    if given.knows(CONTROLLERS.name) and given.has(CONTROLLERS.name):
        settings["bootstrap.controllers"] = given.text(CONTROLLERS.name)
    if client_id:
        settings["client.id"] = client_id
    made: Admin = imported(CALLERS_ADMIN).CallersAdmin(settings)
    return made


def check_addresses(given: Given) -> None:
    """What some tools look at before they begin."""
    for address in (given.text(BOOTSTRAP.name) or "").split(","):
        host, colon, port = address.rpartition(":")
        if not (host and colon and port.isdecimal()):
            raise WrongUsageError("Please provide valid host:port like host1:9091,host2:9092\n")


def settings_file(files: Files, path: str | None) -> dict[str, object]:
    """What a file of properties has; nothing without one."""
    if path is None:
        return {}
    return dict(properties_of(files, path))


def properties_of(files: Files, path: str) -> dict[str, str]:
    status = files.status(path)
    if status is None or status.is_directory:
        raise FileMissingError(path, "there is no such file of properties")
    found: dict[str, str] = imported(PROPERTIES).parse_properties(read_whole(files, path))
    return found


def pairs_of(texts: Iterable[str]) -> dict[str, str]:
    """The pairs of `key=value`; without an equals sign the value is empty."""
    found = {}
    for text in texts:
        key, _, value = text.partition("=")
        found[key] = value
    return found
