"""Formatting: makes directories of disks, so that a node may start on them.

Every directory gets `meta.properties`, which binds it to cluster and node, and the first metadata
records in `bootstrap.checkpoint`. The one that holds the metadata log of a voter of a dynamic
quorum also gets the zero checkpoint, which holds the voters. `meta.properties` comes last: a
directory without it was not formatted, however much of the rest is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from moldau.broker.log.directory.meta_properties import (
    FILE_NAME as META_PROPERTIES,
)
from moldau.broker.log.directory.meta_properties import (
    MetaProperties,
    read_meta_properties,
    write_meta_properties,
)
from moldau.broker.metadata.features import METADATA_VERSIONS
from moldau.broker.metadata.snapshot_file import (
    BOOTSTRAP_FILE_NAME,
    SnapshotFields,
    encode_snapshot,
)
from moldau.broker.node.format_error import FormatError
from moldau.broker.node.format_plan import FormatPlan, Quorum
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files, replace_whole
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.stored.control import VotersRecord
from moldau.protocol.wire.uuids import new_uuid

METADATA_PARTITION = "__cluster_metadata-0"
ZERO_CHECKPOINT = "00000000000000000000-0000000000.checkpoint"
Report = Callable[[str], None]


class Formatter:
    """Writes a plan onto the directories of one node."""

    def __init__(self, files: Files, clock: Clock, random: Random, report: Report) -> None:
        self._files = files
        self._clock = clock
        self._random = random
        self._report = report

    def format(
        self,
        settings: BrokerSettings,
        plan: FormatPlan,
        *,
        ignore_formatted: bool,
        dry_run: bool = False,
    ) -> None:
        """Format all directories that are not; those that are make it fail, or are left alone.

        A dry run writes nothing, and reports and fails alike.
        """
        blank = []
        found = {
            path: read_meta_properties(self._files, path) for path in all_directories(settings)
        }
        for path, properties in found.items():
            if properties is not None:
                _ensure_same(path, properties, settings, plan)
        for path, properties in found.items():
            if properties is None:
                blank.append(path)
            elif not ignore_formatted:
                raise FormatError(
                    f"Log directory {path} is already formatted. Use --ignore-formatted to ignore "
                    "this directory and format the others."
                )
        if not blank:
            self._report("All of the log directories are already formatted.")
        for path in blank:
            self._format_one(settings, plan, path, dry_run=dry_run)

    def _format_one(
        self, settings: BrokerSettings, plan: FormatPlan, path: str, *, dry_run: bool
    ) -> None:
        holds_metadata = path == settings.metadata_directory
        is_voter = holds_metadata and settings.is_controller and plan.kraft_version > 0
        kind = "data" if not holds_metadata else "metadata"
        if is_voter and plan.voters:
            kind = "dynamic metadata voter"
        version = METADATA_VERSIONS[plan.metadata_version].name
        head = "DRY RUN of formatting" if dry_run else "Formatting"
        self._report(f"{head} {kind} directory {path} with metadata.version {version}.")
        if dry_run:
            return
        directory_id = self._directory_id(settings, plan, holds_metadata=holds_metadata)
        make_durably(self._files, path)
        self._write(f"{path}/{BOOTSTRAP_FILE_NAME}", plan, self._fields(0))
        if is_voter and plan.voters:
            self._write_voters(settings, plan, path, directory_id)
        properties = MetaProperties(
            cluster_id=plan.cluster_id, node_id=settings.node_id, directory_id=directory_id
        )
        write_meta_properties(self._files, path, properties)

    def _directory_id(
        self, settings: BrokerSettings, plan: FormatPlan, *, holds_metadata: bool
    ) -> bytes:
        if holds_metadata and plan.quorum is Quorum.LISTED:
            mine = [one for one in plan.voters if one.voter_id == settings.node_id]
            return mine[0].voter_directory_id
        return new_uuid(self._random)

    def _write_voters(
        self, settings: BrokerSettings, plan: FormatPlan, path: str, directory_id: bytes
    ) -> None:
        voters = VotersRecord(version=0, voters=list(plan.voters))
        for voter in voters.voters:
            if voter.voter_id == settings.node_id:
                voter.voter_directory_id = directory_id
        fields = replace(
            self._fields(self._clock.now_ms()), kraft_version=plan.kraft_version, voters=voters
        )
        folder = f"{path}/{METADATA_PARTITION}"
        make_durably(self._files, folder)
        without_records = replace(plan, records=())
        self._write(f"{folder}/{ZERO_CHECKPOINT}", without_records, fields)

    def _fields(self, last_contained_ms: int) -> SnapshotFields:
        return SnapshotFields(created_ms=self._clock.now_ms(), last_contained_ms=last_contained_ms)

    def _write(self, path: str, plan: FormatPlan, fields: SnapshotFields) -> None:
        batches = encode_snapshot(plan.records, plan.metadata_version, fields)
        replace_whole(self._files, path, b"".join(batches))


def _ensure_same(
    path: str, found: MetaProperties, settings: BrokerSettings, plan: FormatPlan
) -> None:
    """A directory of another cluster or node is not one that may be left alone."""
    place = f"{path}/{META_PROPERTIES}"
    if found.cluster_id != plan.cluster_id:
        raise FormatError(
            f"Invalid cluster.id in: {place}. Expected {plan.cluster_id}, but read "
            f"{found.cluster_id}"
        )
    if found.node_id != settings.node_id:
        raise FormatError(
            f"Stored node id {found.node_id} doesn't match previous node id {settings.node_id} in "
            f"{place}. If you moved your data, make sure your configured node id matches. If you "
            "intend to create a new node, you should remove all data in your data directories."
        )


def make_durably(files: Files, path: str) -> None:
    """Make a directory, and what is missing above it, so that a power cut does not undo it."""
    parent = path.rpartition("/")[0] or ("/" if path.startswith("/") else ".")
    if parent not in (path, "/", ".") and files.status(parent) is None:
        make_durably(files, parent)
    files.make_directory(path)
    files.sync_directory(parent)


def all_directories(settings: BrokerSettings) -> Iterator[str]:
    """Those of the logs, and the metadata log's if it has one of its own; sorted, each once."""
    yield from sorted({*settings.directories, settings.metadata_directory})
