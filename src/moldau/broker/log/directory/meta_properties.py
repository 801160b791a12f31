"""Whose log directory this is: `meta.properties` (KIP-631, KIP-858).

Formatting a directory writes cluster, node and a random id of the directory into it. A node that
starts compares: a disk of another cluster or node, or the same disk mounted twice, is refused
before a byte is written. Version 0 is what brokers wrote before KRaft, with `broker.id`.
"""

from __future__ import annotations

from moldau.config.java_properties import format_properties, parse_properties
from moldau.errors import CorruptRecordError, DecodeError
from moldau.platform.ports.files import Files, read_whole, replace_whole
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.uuids import parse_uuid, uuid_text

FILE_NAME = "meta.properties"
VERSION = "1"
_SIZE_MAX = 64 * 1024
"""A handful of short lines; whatever is larger is something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaProperties:
    """The contents of the file; what version 0 lacks is None."""

    cluster_id: str | None
    node_id: int | None
    directory_id: bytes | None = None
    version: str = VERSION

    def encode(self, comment: str = "") -> bytes:
        """As Java writes it, in its order, with `comment` where Java puts the date."""
        assert self.version == VERSION, "version 0 is read only"
        fields = {
            "node.id": None if self.node_id is None else str(self.node_id),
            "directory.id": None if self.directory_id is None else uuid_text(self.directory_id),
            "version": VERSION,
            "cluster.id": self.cluster_id,
        }
        known = {key: text for key, text in fields.items() if text is not None}
        return format_properties(known, ("", comment))


def read_meta_properties(files: Files, directory: str) -> MetaProperties | None:
    """The identity in the directory; None where it was never formatted."""
    path = f"{directory}/{FILE_NAME}"
    status = files.status(path)
    if status is None:
        return None
    if status.size > _SIZE_MAX:
        raise _corrupt(path, f"{status.size} bytes are too many")
    return _decode(path, parse_properties(read_whole(files, path)))


def write_meta_properties(
    files: Files, directory: str, properties: MetaProperties, comment: str = ""
) -> None:
    replace_whole(files, f"{directory}/{FILE_NAME}", properties.encode(comment))


def _decode(path: str, properties: dict[str, str]) -> MetaProperties:
    version = properties.get("version")
    if version not in ("0", VERSION):
        named = "it names no version" if version is None else f"version {version} is unknown"
        raise _corrupt(path, named)
    number = properties.get("node.id" if version == VERSION else "broker.id")
    if version == VERSION and (number is None or not properties.get("cluster.id")):
        raise _corrupt(path, "cluster.id or node.id is missing")
    if number is not None and not (number.removeprefix("-").isdecimal() and len(number) <= 11):
        raise _corrupt(path, f"node id {number!r} is no number")
    return MetaProperties(
        cluster_id=properties.get("cluster.id") or None,
        node_id=None if number is None else int(number),
        directory_id=_directory_id(path, properties.get("directory.id")),
        version=version,
    )


def _directory_id(path: str, text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        return parse_uuid(text)
    except DecodeError as error:
        raise _corrupt(path, str(error)) from error


def _corrupt(path: str, reason: str) -> CorruptRecordError:
    return CorruptRecordError(f"{path}: {reason}; restore the file, or format the directory anew")
