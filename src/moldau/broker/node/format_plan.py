"""What formatting is to write: which features, which users, which voters.

A new cluster begins with the levels that its release brings; single features can be set otherwise.
Where the quorum's voters stand in the settings the quorum is static and `kraft.version` 0; else
the voters have to be named: this node alone, a list, or none yet (the node joins a quorum).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from moldau.broker.metadata.features import (
    FEATURES,
    KRAFT_VERSION,
    METADATA_VERSION,
    METADATA_VERSIONS,
    metadata_version_named,
    newest_metadata_version,
)
from moldau.broker.node.format_error import FormatError
from moldau.config.broker.listeners import Listener
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import DecodeError
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.control import VotersRecord
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.uuids import parse_uuid

PORT_MAX = 65_535
LOCALHOST = "localhost"
DYNAMIC = "--standalone, --initial-controllers, or --no-initial-controllers"
"""Flags of a quorum whose voters are in its log."""


class Quorum(Enum):
    """Where the first voters come from."""

    STATIC = "static"
    """`controller.quorum.voters` names them."""
    STANDALONE = "standalone"
    LISTED = "listed"
    JOINING = "joining"
    """An existing quorum; this node brings no voters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOptions:
    """As they were asked for."""

    cluster_id: str
    release: str | None = None
    features: Sequence[str] = ()
    """name=level"""
    scram: Sequence[str] = ()
    standalone: bool = False
    initial_controllers: str | None = None
    no_initial_controllers: bool = False


@dataclass(frozen=True, slots=True)
class FormatPlan:
    """What will be written into every directory, and beside that into the metadata log's."""

    cluster_id: str
    metadata_version: int
    records: tuple[Message, ...]
    kraft_version: int
    quorum: Quorum
    voters: tuple[VotersRecord.Voter, ...]
    """Without the directory id of this node where it is not known before it is formatted."""


def plan_format(settings: BrokerSettings, options: FormatOptions, random: Random) -> FormatPlan:
    """Judge everything before anything is written."""
    _ensure_cluster_id(options.cluster_id)
    unstable = settings.unstable_feature_versions_enable
    levels = feature_levels(options.release, options.features, unstable=unstable)
    quorum = _quorum(settings, options)
    kraft_version = levels.pop(KRAFT_VERSION, None)
    kraft_version = _kraft_version(quorum, kraft_version)
    metadata_version = levels[METADATA_VERSION]
    if options.scram and not METADATA_VERSIONS[metadata_version].has_scram:
        raise FormatError("SCRAM is only supported in metadata.version 3.5-IV2 or later")
    records = _feature_records(levels)
    if options.scram:
        # Few are formatted with users; the others need not import what makes their secrets.
        from moldau.broker.node.scram_records import scram_records

        records += scram_records(options.scram, random)
    voters = _voters(settings, options, quorum)
    return FormatPlan(
        options.cluster_id, metadata_version, tuple(records), kraft_version, quorum, voters
    )


def _ensure_cluster_id(text: str) -> None:
    if not text:
        raise FormatError("--cluster-id is empty; `moldau random-uuid` makes one")


def feature_levels(
    release: str | None, given: Iterable[str], *, unstable: bool = False
) -> dict[str, int]:
    """Levels by name, `metadata.version` among them; what is 0 is not there."""
    newest = newest_metadata_version(unstable=unstable)
    asked = dict(_parse_level(text) for text in given)
    if release is not None and METADATA_VERSION in asked:
        raise FormatError("--release-version and --feature metadata.version say the same; give one")
    metadata_version = asked.pop(METADATA_VERSION, None)
    if metadata_version is None:
        metadata_version = _release_level(release, newest)
    if metadata_version > newest:
        name = METADATA_VERSIONS[metadata_version].name
        raise FormatError(f"metadata.version {name} is not yet stable.")
    levels = {name: feature.default_level(metadata_version) for name, feature in FEATURES.items()}
    levels[METADATA_VERSION] = metadata_version
    if KRAFT_VERSION not in asked:
        del levels[KRAFT_VERSION]
    levels.update(asked)
    for name, level in levels.items():
        _ensure_dependencies(name, level, levels)
    return {name: level for name, level in levels.items() if level or name == KRAFT_VERSION}


def _parse_level(text: str) -> tuple[str, int]:
    name, separator, level = text.partition("=")
    if not separator or not level.strip().isdecimal():
        raise FormatError(f"--feature takes name=level, not {text!r}")
    name, number = name.strip(), int(level)
    if name == METADATA_VERSION:
        if number not in METADATA_VERSIONS:
            raise FormatError(f"No feature:{name} with feature level {number}")
        return name, number
    if name not in FEATURES:
        known = ", ".join(sorted(FEATURES))
        raise FormatError(f"Unsupported feature: {name}. Supported features are: {known}")
    if number > FEATURES[name].highest:
        raise FormatError(f"No feature:{name} with feature level {number}")
    return name, number


def _release_level(release: str | None, newest: int) -> int:
    if release is None:
        return newest
    version = metadata_version_named(release)
    if version is None or version.level > newest:
        known = ", ".join(one.name for one in METADATA_VERSIONS.values() if one.level <= newest)
        raise FormatError(
            f"Unknown metadata.version '{release}'. Supported metadata.version are: {known}"
        )
    return version.level


def _ensure_dependencies(name: str, level: int, levels: Mapping[str, int]) -> None:
    feature = FEATURES.get(name)
    needs = feature.needs.get(level, {}) if feature else {}
    for other, least in needs.items():
        if levels.get(other, 0) < least:
            raise FormatError(
                f"{name} could not be set to {level} because it needs {other} {least}"
            )


def _quorum(settings: BrokerSettings, options: FormatOptions) -> Quorum:
    asked = [
        quorum
        for quorum, given in (
            (Quorum.STANDALONE, options.standalone),
            (Quorum.LISTED, options.initial_controllers is not None),
            (Quorum.JOINING, options.no_initial_controllers),
        )
        if given
    ]
    if len(asked) > 1:
        raise FormatError(
            "only one of --standalone, --initial-controllers and --no-initial-controllers can be"
            " given"
        )
    if settings.controller_quorum_voters:
        if asked and asked[0] is not Quorum.JOINING:
            raise FormatError(
                "You cannot specify controller.quorum.voters and format the node with "
                "--initial-controllers or --standalone. If you want to use dynamic quorum, please "
                "remove controller.quorum.voters and specify controller.quorum.bootstrap.servers "
                "instead."
            )
        return Quorum.STATIC
    if not asked and settings.is_controller:
        raise FormatError(
            "Because controller.quorum.voters is not set on this controller, you must specify one "
            f"of the following: {DYNAMIC}."
        )
    if asked and asked[0] is not Quorum.JOINING and not settings.is_controller:
        raise FormatError("You can only use --standalone or --initial-controllers on a controller")
    return asked[0] if asked else Quorum.JOINING


def _kraft_version(quorum: Quorum, asked: int | None) -> int:
    if quorum is Quorum.STATIC:
        if asked:
            raise FormatError(
                f"Cannot set kraft.version to {asked} unless controller.quorum.voters is empty "
                f"and one of the flags {DYNAMIC} is used. For dynamic controllers support, try "
                f"using one of {DYNAMIC} and removing controller.quorum.voters."
            )
        return 0
    if asked == 0:
        raise FormatError(
            "Cannot set kraft.version to 0 if controller.quorum.voters is empty and one of the "
            f"flags {DYNAMIC} is used. For dynamic controllers support, try removing the --feature "
            "flag for kraft.version."
        )
    return 1


def _feature_records(levels: Mapping[str, int]) -> list[Message]:
    """Of `metadata.version` first, for it decides how all others are read."""
    names = [METADATA_VERSION, *sorted(name for name in levels if name != METADATA_VERSION)]
    return [FeatureLevelRecord(name=name, feature_level=levels[name]) for name in names]


def _voters(
    settings: BrokerSettings, options: FormatOptions, quorum: Quorum
) -> tuple[VotersRecord.Voter, ...]:
    if quorum is Quorum.STANDALONE:
        return (standalone_voter(settings),)
    if quorum is Quorum.LISTED:
        listener = settings.controller_listener_names[0]
        found = [
            parse_voter(text, listener) for text in str(options.initial_controllers).split(",")
        ]
        if settings.node_id not in [voter.voter_id for voter in found]:
            raise FormatError(f"--initial-controllers does not name this node, {settings.node_id}")
        return tuple(found)
    return ()


def standalone_voter(settings: BrokerSettings) -> VotersRecord.Voter:
    """This node; its directory id is filled in when it is known."""
    listeners = settings.controller_listeners
    return _voter(settings.node_id, bytes(16), [_reachable(listener) for listener in listeners])


def _reachable(listener: Listener) -> Listener:
    host = LOCALHOST if listener.host in ("", "0.0.0.0", "::") else listener.host  # noqa: S104
    return listener._replace(host=host)


def parse_voter(text: str, listener: str) -> VotersRecord.Voter:
    """`id@host:port:directory id`, as --initial-controllers has it."""
    number, at, rest = text.strip().partition("@")
    address, colon, directory = rest.rpartition(":")
    host, second_colon, port = address.rpartition(":")
    whole = at and colon and second_colon and number.isdecimal() and port.isdecimal()
    if not whole or not 0 < int(port) <= PORT_MAX:
        raise FormatError(f"--initial-controllers takes id@host:port:directory.id, not {text!r}")
    try:
        directory_id = parse_uuid(directory)
    except DecodeError as error:
        raise FormatError(f"--initial-controllers: {error}") from None
    return _voter(int(number), directory_id, [Listener(listener, host.strip("[]"), int(port), "")])


def _voter(node_id: int, directory_id: bytes, listeners: Iterable[Listener]) -> VotersRecord.Voter:
    endpoint = VotersRecord.Voter.Endpoint
    return VotersRecord.Voter(
        voter_id=node_id,
        voter_directory_id=directory_id,
        endpoints=[endpoint(name=one.name, host=one.host, port=one.port) for one in listeners],
        kraft_version_feature=VotersRecord.Voter.KRaftVersionFeature(
            min_supported_version=0, max_supported_version=1
        ),
    )
