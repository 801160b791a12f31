"""Features and their levels: what a cluster may have switched on (KIP-584, KIP-1022).

A feature's level is finalized for the whole cluster by a FeatureLevelRecord, and every node must
support it. The level of `metadata.version` decides which metadata records are written and which
versions of them; a release formats new clusters with the levels that it brought.

`kraft.version` is kept by the quorum itself, in control records, and not by FeatureLevelRecords.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from moldau.platform.quick_dataclass import dataclass

METADATA_VERSION = "metadata.version"
KRAFT_VERSION = "kraft.version"
TRANSACTION_VERSION = "transaction.version"
GROUP_VERSION = "group.version"
SHARE_VERSION = "share.version"
STREAMS_VERSION = "streams.version"
ELR_VERSION = "eligible.leader.replicas.version"

METADATA_VERSION_MIN = 7
METADATA_VERSION_LATEST = 30
"""What new clusters get: 4.3-IV0."""
METADATA_VERSION_UNSTABLE = 31
"""What they get with `unstable.feature.versions.enable`: 4.4-IV0, which may still change. It is the
only level of any feature that Kafka 4.3.1 knows beyond those in use."""

_REGISTER_BROKER, _PARTITION, _PARTITION_CHANGE = 0, 3, 5


@dataclass(frozen=True, slots=True)
class MetadataVersion:
    """One level of metadata.version."""

    level: int
    name: str
    """As `--release-version` and listings spell it."""
    changes_metadata: bool
    """Whether a downgrade from it could lose something."""

    @property
    def release(self) -> str:
        return self.name.partition("-")[0]

    @property
    def record_versions(self) -> Mapping[int, int]:
        """By record id; what is not there is written as 0."""
        return _RECORD_VERSIONS[self.level]

    @property
    def has_scram(self) -> bool:
        return self.level >= 11

    @property
    def bumps_leader_epoch_on_isr_shrink(self) -> bool:
        return self.level < 12

    @property
    def has_transactions(self) -> bool:
        """Metadata records may stand in brackets (KIP-868)."""
        return self.level >= 13

    @property
    def has_delegation_tokens(self) -> bool:
        return self.level >= 14

    @property
    def has_controller_registration(self) -> bool:
        return self.level >= 15

    @property
    def has_directory_assignment(self) -> bool:
        return self.level >= 17

    @property
    def has_elr(self) -> bool:
        return self.level >= 23

    @property
    def has_cordoned_directories(self) -> bool:
        return self.level >= 30


def _metadata_versions() -> dict[int, MetadataVersion]:
    rows = (
        (7, "3.3-IV3", True),
        (8, "3.4-IV0", True),
        (9, "3.5-IV0", False),
        (10, "3.5-IV1", False),
        (11, "3.5-IV2", True),
        (12, "3.6-IV0", False),
        (13, "3.6-IV1", True),
        (14, "3.6-IV2", True),
        (15, "3.7-IV0", True),
        (16, "3.7-IV1", False),
        (17, "3.7-IV2", True),
        (18, "3.7-IV3", False),
        (19, "3.7-IV4", False),
        (20, "3.8-IV0", False),
        (21, "3.9-IV0", False),
        (22, "4.0-IV0", False),
        (23, "4.0-IV1", True),
        (24, "4.0-IV2", False),
        (25, "4.0-IV3", False),
        (26, "4.1-IV0", False),
        (27, "4.1-IV1", False),
        (28, "4.2-IV0", False),
        (29, "4.2-IV1", False),
        (30, "4.3-IV0", True),
        (31, "4.4-IV0", False),
    )
    return {row[0]: MetadataVersion(*row) for row in rows}


def _record_versions(level: int) -> dict[int, int]:
    partition = (level >= 17) + (level >= 23)
    return {
        _REGISTER_BROKER: 1 + (level >= 8) + (level >= 17) + (level >= 30),
        _PARTITION: partition,
        _PARTITION_CHANGE: partition,
    }


METADATA_VERSIONS: Mapping[int, MetadataVersion] = _metadata_versions()
_RECORD_VERSIONS = {level: _record_versions(level) for level in METADATA_VERSIONS}


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature beside metadata.version."""

    name: str
    highest: int
    defaults: Mapping[int, int]
    """Level → the metadata.version from which on new clusters get it."""
    needs: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    """Level → other features that must have at least some level."""

    def default_level(self, metadata_version: int) -> int:
        """What a cluster formatted with this metadata.version gets."""
        return max(
            (level for level, since in self.defaults.items() if metadata_version >= since),
            default=0,
        )


FEATURES: Mapping[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature(KRAFT_VERSION, 1, {1: 21}),
        Feature(TRANSACTION_VERSION, 2, {2: 24}),
        Feature(GROUP_VERSION, 1, {1: 22}),
        Feature(ELR_VERSION, 1, {1: 26}, {1: {METADATA_VERSION: 23}}),
        Feature(SHARE_VERSION, 1, {1: 28}),
        Feature(STREAMS_VERSION, 1, {1: 29}),
    )
}


def newest_metadata_version(*, unstable: bool) -> int:
    """The highest level; `unstable` as `unstable.feature.versions.enable` is set."""
    return METADATA_VERSION_UNSTABLE if unstable else METADATA_VERSION_LATEST


def supported_levels(*, unstable: bool = False) -> dict[str, tuple[int, int]]:
    """Lowest and highest level of every feature that this node can run, as it registers them."""
    newest = newest_metadata_version(unstable=unstable)
    levels = {METADATA_VERSION: (METADATA_VERSION_MIN, newest)}
    return levels | {feature.name: (0, feature.highest) for feature in FEATURES.values()}


def metadata_version_named(name: str) -> MetadataVersion | None:
    """By `4.1-IV0`, or by `4.1`, which means the last of that release if it is a stable one."""
    found = [
        version
        for version in METADATA_VERSIONS.values()
        if name == version.name
        or (name == version.release and version.level <= METADATA_VERSION_LATEST)
    ]
    return found[-1] if found else None
