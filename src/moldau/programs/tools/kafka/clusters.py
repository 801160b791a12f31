"""The clients of a tool: what `--bootstrap-server` and `--command-config` ask for."""

from __future__ import annotations

from moldau.client.admin import Admin
from moldau.client.errors import AccessDeniedError, RefusedError
from moldau.config.java_properties import parse_properties
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.ports.files import Files, read_whole
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "BOOTSTRAP",
    "COMMAND_CONFIG",
    "JAVA_ERRORS",
    "admin_of",
    "cause_of",
    "check_addresses",
    "java_cause_of",
    "properties_of",
    "settings_file",
]

JAVA_ERRORS = "org.apache.kafka.common.errors."
JAVA_NAMES = {
    ErrorCode.INVALID_TOPIC_EXCEPTION: "InvalidTopic",
    ErrorCode.NON_EMPTY_GROUP: "GroupNotEmpty",
    ErrorCode.TOPIC_ALREADY_EXISTS: "TopicExists",
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: "TopicAuthorization",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "GroupAuthorization",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "ClusterAuthorization",
    ErrorCode.UNKNOWN_SERVER_ERROR: "UnknownServer",
}
"""Names of classes that are not made of the code's."""

BOOTSTRAP = Flag(
    "bootstrap-server", "The brokers to begin at. Required.", Takes.TEXT, "HOST:PORT,..."
)
COMMAND_CONFIG = Flag(
    "command-config", "A file of properties with settings of the client.", Takes.TEXT, "FILE"
)


def admin_of(given: Given, world: World, client_id: str = "") -> Admin:
    """A client for what the flags name, to be closed."""
    settings = settings_file(world.files, given.text(COMMAND_CONFIG.name))
    servers = given.text(BOOTSTRAP.name)
    if servers is not None:
        settings["bootstrap.servers"] = servers
    if client_id:
        settings["client.id"] = client_id
    return Admin(settings)


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
    return parse_properties(read_whole(files, path))


def cause_of(error: MoldauError) -> str:
    """What a broker had to object, in its own words, or the whole sentence of our error."""
    if isinstance(error, RefusedError):
        return error.detail
    if isinstance(error, AccessDeniedError) and error.error is not None:
        return error.error.message
    return str(error)


def java_cause_of(error: MoldauError) -> str:
    """The same, after the class that it has in Java."""
    code = error.error if isinstance(error, RefusedError | AccessDeniedError) else None
    if code is None:
        return cause_of(error)
    name = JAVA_NAMES.get(code, "".join(part.capitalize() for part in code.name.split("_")))
    return f"{JAVA_ERRORS}{name}Exception: {cause_of(error)}"
