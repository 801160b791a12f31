"""The settings of a node from a `server.properties` and from the command line.

What is said on the command line wins. Names that nobody knows are told, not refused: a file for
Kafka with plug-ins starts here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.config.broker.checks import check
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import FileMissingError
from moldau.log.directory.java_properties import parse_properties
from moldau.ports.files import Files, read_whole

FILE_BYTES_MAX = 1 << 20
"""Far above any file of settings; whatever is larger is something else."""
PLUGINS = (
    "alter.config.policy.class.name",
    "authorizer.class.name",
    "client.quota.callback.class",
    "create.topic.policy.class.name",
)
"""Classes that would forbid something to somebody: whoever names one must know that none does."""


def read_properties(files: Files, path: str) -> dict[str, str]:
    """What the file says, or `SettingError`."""
    status = files.status(path)
    if status is None:
        raise FileMissingError(path, "there is no such file; --config names one with settings")
    if status.is_directory:
        raise FileMissingError(path, "it is a directory; --config names a file with settings")
    if status.size > FILE_BYTES_MAX:
        raise SettingError(f"{path} has {status.size} bytes, too many for a file of settings")
    return parse_properties(read_whole(files, path))


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """`key=value` of each, or `SettingError`."""
    found = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name.strip():
            raise SettingError(f"--set takes key=value, not {text!r}")
        found[name.strip()] = value
    return found


def node_settings(*layers: Mapping[str, str]) -> BrokerSettings:
    """Settings of all layers, later ones winning, or `SettingError`."""
    merged: dict[str, str] = {}
    for layer in layers:
        merged.update(layer)
    if "node.id" not in merged and "broker.id" in merged:
        merged["node.id"] = merged["broker.id"]
    merged.setdefault("broker.id", merged.get("node.id", "-1"))
    settings = BrokerSettings.of(merged)
    check(settings)
    return settings


def warnings(settings: BrokerSettings) -> list[str]:
    """One sentence for each thing that will not be as somebody may think."""
    unknown = [f"{name} is no setting; it is ignored" for name in settings.unrecognised()]
    classes = [
        f"{name} names a class of Java, {value}, which cannot run here; it is ignored"
        for name in PLUGINS
        if (value := settings.all_given.get(name))
    ]
    return unknown + classes + _unwise(settings)


def _unwise(settings: BrokerSettings) -> list[str]:
    if settings.broker_heartbeat_interval_ms * 2 <= settings.broker_session_timeout_ms:
        return []
    return [
        "broker.heartbeat.interval.ms is more than half of broker.session.timeout.ms; one late "
        "heartbeat takes the broker out of service"
    ]
