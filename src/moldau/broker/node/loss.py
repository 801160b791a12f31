"""`moldau.refuse.loss`: a node does not start on logs that have lost records.

Every log is opened once above an overlay, as it would be opened, before anything in its directory
is changed; where that reports lost offsets the start ends with a sentence. So a start takes twice
as long where this is wanted. The topics' settings are not known yet: a log is taken for compacted
where the cleaner's checkpoint has it, or where coordinators write it.

What a killed process leaves as a rule, the beginning of a write, is no loss, nor is a file that is
rebuilt from the log. What cannot be opened at all is left to the start itself, which refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.directory.clean_shutdown import FILE_NAME as CLEAN_SHUTDOWN
from moldau.broker.log.directory.directories import LogDirectories
from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.findings import Finding, OpeningReport
from moldau.broker.log.opening import Remembered, open_log, report_of
from moldau.broker.log.overlay import OverlayFiles
from moldau.broker.log.settings import COMPACT, DELETE, LogSettings
from moldau.broker.log.world import World
from moldau.broker.node.formatting import METADATA_PARTITION
from moldau.broker.node.world import NodeWorld
from moldau.broker.replica.log_dir_scan import LogDirScan, gone_report, scan_log_dirs
from moldau.broker.replica.manager import COORDINATED
from moldau.broker.runtime.quorum.snapshot_store import SnapshotStore
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import MoldauError

__all__ = ["LossRefusedError", "refuse_loss"]

DELETED, COMPACTED = (LogSettings(cleanup_policy=frozenset({one})) for one in (DELETE, COMPACT))


class LossRefusedError(MoldauError):
    """Records are gone, and the node is configured not to go on without them."""

    def __init__(self, name: str, finding: Finding) -> None:
        lost = (
            f"offsets {finding.offset} to {finding.end_offset - 1}"
            if finding.lost_offsets
            else "an unknown number of offsets"
        )
        super().__init__(
            f"{name} would lose {lost}: {finding.path} {finding.reason}; nothing is changed; "
            "restore the file from a copy, or set moldau.refuse.loss=false to go on with what is "
            "there"
        )
        self.finding = finding


def refuse_loss(world: NodeWorld, settings: BrokerSettings, directories: LogDirectories) -> None:
    """Raise `LossRefusedError` for the first log that has lost records."""
    for directory in directories:
        if directory.path == settings.metadata_directory:
            _judge(METADATA_PARTITION, _metadata_report(world, directory))
    scans = [scan_log_dirs(directory) for directory in directories]
    found = {name for scan in scans for name in scan.found}
    for scan in scans:
        for name, end_offset in scan.gone.items():
            if end_offset and name not in found:
                _judge(str(name), gone_report(scan, name))
        for name, report in _reports(world, scan):
            _judge(str(name), report)


def _judge(name: str, report: OpeningReport | None) -> None:
    for finding in () if report is None else report.findings:
        if finding.loses:
            raise LossRefusedError(name, finding)


def _is_clean(world: NodeWorld, directory: LogDirectory) -> bool:
    return world.files.status(f"{directory.path}/{CLEAN_SHUTDOWN}") is not None


def _reports(
    world: NodeWorld, scan: LogDirScan
) -> Iterator[tuple[TopicPartition, OpeningReport | None]]:
    cleaned = scan.directory.cleaner_offsets.read_or_forget()[0]
    clean = _is_clean(world, scan.directory)
    for name, directory in scan.found.items():
        compacts = name in cleaned or name.topic in COORDINATED
        remembered = scan.remembered(name, clean=clean)
        settings = COMPACTED if compacts else DELETED
        yield name, _report(world, f"{scan.path}/{directory}", settings, remembered)


def _metadata_report(world: NodeWorld, directory: LogDirectory) -> OpeningReport | None:
    """Of the metadata log, whose records below its newest snapshot are not needed."""
    path = f"{directory.path}/{METADATA_PARTITION}"
    if world.files.status(path) is None:
        return None
    latest = SnapshotStore(OverlayFiles(world.files), path).latest
    known = 0 if latest is None else latest.end_offset
    remembered = Remembered(clean=_is_clean(world, directory), recovery_point=known)
    return _report(world, path, COMPACTED, remembered)


def _report(
    world: NodeWorld, path: str, settings: LogSettings, remembered: Remembered
) -> OpeningReport | None:
    above = World(OverlayFiles(world.files), world.clock, world.random)
    try:
        state = open_log(above, path, settings, remembered)
    except MoldauError:
        return None
    for segment in state.segments:
        segment.close()
    return report_of(state, clean=remembered.clean)
