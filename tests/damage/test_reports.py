"""Whatever damage a start meets: each lost record is in the report, or its reader has an error.

That is an error for the offset, or a batch whose checksum is wrong: a segment in which
nothing has to be recovered is not read through at a start.
"""

from __future__ import annotations

import pytest

from moldau.broker.log.findings import FindingKind
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.world import World
from moldau.errors import CorruptRecordError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records.batch import checksum_of, iterate_batches, read_header
from tests.damage.contents import (
    END_OFFSET,
    HIGH_WATERMARK,
    RECOVERY_POINT,
    SETTINGS,
    write_log,
)
from tests.damage.kinds import KINDS

CLEAN = Remembered(True, END_OFFSET, 0, END_OFFSET, reached_offset=END_OFFSET)
KILLED = Remembered(False, RECOVERY_POINT, 0, HIGH_WATERMARK, reached_offset=HIGH_WATERMARK)
OPENED = [name for name in KINDS if name != "no directory"]
"""One without a directory: see tests/broker/replica/test_log_dir_scan.py."""
HARMLESS = frozenset({"nothing", "a .cut file", "a foreign file", "a foreign folder"})
UNSEEN = {
    "a segment that was leaving": "it is what a stop may leave",
    "a segment that was being cleaned": "it is what a stop may leave",
    "a segment that was to be swapped": "it is what a stop may leave",
    "no leader epochs": "there are logs without any",
    "no partition.metadata": "it is checked where the directory is opened",
    "first: no .index": "it is looked at when a reader comes there",
    "first: an .index that leads astray": "it is looked at when a reader comes there",
    "first: a .timeindex that leads astray": "it is looked at when a reader comes there",
    "first: no .txnindex": "a segment without aborted transactions has none",
    "last: no .txnindex": "a segment without aborted transactions has none",
    "last: an empty .index": "an index may have no entry",
    "last: a .timeindex that leads astray": "its entries are looked at when a time is asked for",
    "last: a leader epoch in the middle": "no checksum covers it, and the records are whole",
    "second: cut behind a batch in the middle": "the hole is met by who reads there",
    "no newest snapshot": "the batches tell the same",
    "no snapshot": "there are logs without producers",
}
"""What a clean start does not report, and why."""
UNKNOWABLE = frozenset(
    {
        "last: cut behind a batch in the middle",
        "last: without the last batch",
        "last: cut in the middle",
        "last: cut in the last batch",
        "last: empty",
        "last: no file",
        "last: the last base offset",
        "no .log at all",
        "no file but partition.metadata",
    }
)
"""After a kill: as if the process had written no more, and no checkpoint knows better."""


def damaged(tmp_path, name, state):
    directory = tmp_path / "damaged-0"
    write_log(directory, clean=state is CLEAN)
    KINDS[name](directory)
    world = World(SystemFiles(), SimulatedClock(), SeededRandom(1))
    return PartitionLog.open(world, str(directory), SETTINGS, state)


def served(log):
    """Each offset from 0 on: whether it came whole, or an error came."""
    whole, refused = set(), set()
    for offset in range(log.log_start_offset, min(log.log_end_offset, END_OFFSET)):
        try:
            batch = next(iterate_batches(log.read(offset, 1).read()))
        except CorruptRecordError:
            refused.add(offset)
            continue
        header = read_header(batch)
        if checksum_of(batch, header) != header.crc:
            refused.add(offset)
        elif header.base_offset <= offset <= header.last_offset:
            whole.add(offset)
    return whole, refused


@pytest.mark.parametrize("state", [CLEAN, KILLED], ids=["clean", "killed"])
@pytest.mark.parametrize("name", OPENED)
def test_what_is_gone_is_reported_or_refused(tmp_path, name, state):
    log = damaged(tmp_path, name, state)
    whole, refused = served(log)
    findings = () if log.report is None else log.report.findings
    reported = {one for finding in findings for one in range(finding.offset, finding.end_offset)}
    log.close()
    known_end = END_OFFSET if state is CLEAN else HIGH_WATERMARK
    end = known_end if name in UNKNOWABLE else END_OFFSET
    if any(one.kind is FindingKind.MISSING and not one.lost_offsets for one in findings):
        end = known_end
    met = {one for offset, base in log.state.gaps.items() for one in range(offset, base)}
    assert set(range(end)) - whole - refused <= reported | met
    assert reported.isdisjoint(whole)
    assert not (HARMLESS & {name} and findings)


@pytest.mark.parametrize("name", [name for name in OPENED if name not in HARMLESS])
def test_after_a_clean_stop_all_damage_that_is_met_is_a_finding(tmp_path, name):
    log = damaged(tmp_path, name, CLEAN)
    _, refused = served(log)
    assert (log.report is None) == (bool(refused) or name in UNSEEN)
    log.close()
