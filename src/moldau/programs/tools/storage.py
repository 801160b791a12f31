"""`moldau storage`: what `kafka-storage.sh` does, by the same words and with the same lines."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from moldau.broker.log.directory.meta_properties import MetaProperties, read_meta_properties
from moldau.broker.metadata.features import (
    FEATURES,
    METADATA_VERSION,
    METADATA_VERSION_LATEST,
    METADATA_VERSIONS,
    metadata_version_named,
)
from moldau.broker.node.formatting import all_directories
from moldau.broker.node.server_properties import read_properties
from moldau.errors import MoldauError
from moldau.platform.ports.files import Files
from moldau.programs.tools import format as formatting
from moldau.programs.tools import random_uuid
from moldau.programs.tools.command import World
from moldau.programs.tools.server_settings import settings_from_file
from moldau.protocol.wire.uuids import uuid_text

FAILED = 1


class UnknownFeatureError(MoldauError):
    """No release has such a feature, or such a level of it."""


def declare(parser: ArgumentParser) -> None:
    ways = parser.add_subparsers(dest="way", required=True, metavar="WAY")
    info = ways.add_parser("info", help="show the directories of a node")
    info.add_argument(
        "-c", "--config", required=True, metavar="FILE", help="the node's server.properties"
    )
    formatting.declare(ways.add_parser("format", help="prepare the directories of a node"))
    mapping = ways.add_parser("version-mapping", help="show which features a release begins with")
    mapping.add_argument(
        "-r", "--release-version", metavar="RELEASE", help="such as 4.1 or 4.1-IV0"
    )
    needs = ways.add_parser("feature-dependencies", help="show what levels of features need")
    needs.add_argument(
        "-f",
        "--feature",
        action="append",
        required=True,
        metavar="NAME=LEVEL",
        help="a level of a feature; may be repeated",
    )
    ways.add_parser("random-uuid", help="print a new id")


def run(options: Namespace, world: World) -> int:
    try:
        return _run(options, world)
    except UnknownFeatureError as error:
        world.errors.write(f"{error}\n")
        return FAILED


def _run(options: Namespace, world: World) -> int:
    match options.way:
        case "info":
            return _info(options, world)
        case "format":
            return formatting.run(options, world)
        case "version-mapping":
            lines = _mapping(options.release_version)
        case "feature-dependencies":
            lines = (line for text in options.feature for line in _needs(text))
        case _:
            return random_uuid.run(options, world)
    for line in lines:
        print(line, file=world.out)
    return 0


def _mapping(release: str | None) -> Iterator[str]:
    name = release or METADATA_VERSIONS[METADATA_VERSION_LATEST].name
    version = metadata_version_named(name)
    if version is None:
        known = ", ".join(one.name for one in METADATA_VERSIONS.values())
        raise UnknownFeatureError(
            f"Unknown metadata.version '{release}'. Supported metadata.version are: {known}"
        )
    yield f"{METADATA_VERSION}={version.level} ({name})"
    for feature in FEATURES.values():
        yield f"{feature.name}={feature.default_level(version.level)}"


def _needs(text: str) -> Iterator[str]:
    name, separator, level = text.partition("=")
    if not separator or not level.isdecimal():
        raise UnknownFeatureError(
            f"Invalid feature format: {text}. Expected format: 'feature=version' (e.g. "
            "'group.version=1')"
        )
    needed = _needed(name, int(level))
    shown = _shown(name, int(level))
    if not needed:
        yield f"{shown} has no dependencies."
        return
    yield f"{shown} requires:"
    for other, least in needed.items():
        yield f"    {_shown(other, least)}"


def _needed(name: str, level: int) -> dict[str, int]:
    if name == METADATA_VERSION:
        if level not in METADATA_VERSIONS:
            raise UnknownFeatureError(f"Unknown metadata.version {level}")
        return {}
    if name not in FEATURES:
        raise UnknownFeatureError(f"Unknown feature: {name}")
    if level > FEATURES[name].highest:
        raise UnknownFeatureError(f"Feature level {level} is not supported for feature {name}")
    return dict(FEATURES[name].needs.get(level, {}))


def _shown(name: str, level: int) -> str:
    if name == METADATA_VERSION:
        return f"{name}={level} ({METADATA_VERSIONS[level].name})"
    return f"{name}={level}"


def _info(options: Namespace, world: World) -> int:
    settings = settings_from_file(read_properties(world.files, options.config), {})
    found, problems, identity = _look(world.files, all_directories(settings))
    blocks = []
    if found:
        head = "Found log directory:" if len(found) == 1 else "Found log directories:"
        blocks.append("\n".join([head, *(f"  {path}" for path in found), ""]))
    if identity is not None:
        blocks.append(f"Found metadata: {_fields(identity)}\n")
    if problems:
        head = "Found problem:" if len(problems) == 1 else "Found problems:"
        blocks.append("\n".join([head, *(f"  {problem}" for problem in problems), ""]))
    for block in blocks:
        print(block, file=world.out)
    return FAILED if problems else 0


def _look(files: Files, paths: Iterator[str]) -> tuple[list[str], list[str], MetaProperties | None]:
    found, problems = [], []
    identity: MetaProperties | None = None
    for path in paths:
        status = files.status(path)
        if status is None:
            problems.append(f"{path} does not exist")
        elif not status.is_directory:
            problems.append(f"{path} is not a directory")
        else:
            found.append(path)
            properties = read_meta_properties(files, path)
            if properties is None:
                problems.append(f"{path} is not formatted.")
            elif identity is None:
                identity = properties
            elif (properties.cluster_id, properties.node_id) != (
                identity.cluster_id,
                identity.node_id,
            ):
                problems.append(
                    f"Metadata for {path} was {_fields(properties)}, but it should be "
                    f"{_fields(identity)} but for the directory's id"
                )
    return found, problems, identity


def _fields(found: MetaProperties) -> str:
    fields = {"cluster.id": found.cluster_id}
    if found.directory_id is not None:
        fields["directory.id"] = uuid_text(found.directory_id)
    fields["node.id"] = str(found.node_id)
    fields["version"] = found.version
    return "{" + ", ".join(f"{name}={value}" for name, value in fields.items()) + "}"
