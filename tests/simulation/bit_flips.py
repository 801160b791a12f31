"""One bit of one file turns over while the node is down: what may the node serve then?

Judged is what reaches a reader that checks, as every consumer and follower does: checksum, and
that offsets ascend. It may see a `MoldauError`, less than there was, or what was written; never
anything else. Files that say again what the log says itself (indexes, producer snapshots) must not
change any answer at all. Some bytes cannot be checked: base offset and leader epoch of a batch lie
outside its checksum, and checkpoint files are plain text; the same bytes are at risk in Kafka.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from moldau.broker.log.partition_log import PartitionLog
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.simulated.clock import START_MS
from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.disk_crash import prefix_state
from moldau.platform.simulated.disk_nodes import FileNode
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.batch import CRC_START, LENGTH_END
from moldau.protocol.records.checksum import crc32c
from tests.simulation.log_scenario import LogScenario
from tests.simulation.machine import PARTITION, Machine, start_machine
from tests.simulation.truth import Cell, Truth, cells_of
from tests.simulation.verdict import judge

REDUNDANT = frozenset([".index", ".timeindex", ".snapshot"])
"""Whatever stands in them, answers are as if they were whole."""
OFFSETS_ASKED = 60
CHECKSUM_COVERS_FROM = LENGTH_END + 4
"""Base offset, length and leader epoch come before."""


@dataclass(frozen=True)
class Flip:
    """The bit that turned over."""

    path: str
    position: int
    bit: int

    @property
    def kind(self) -> str:
        """`.log`, `.index`…, or the whole name of files that are alone of their kind."""
        name = self.path.rpartition("/")[2]
        stem, dot, suffix = name.rpartition(".")
        return dot + suffix if stem.isdigit() else name


def everything(seed: str) -> LogScenario:
    """A scenario after which every kind of file has contents."""
    scenario = LogScenario(seed)
    for _ in range(3):
        scenario.append_in_transaction()
        scenario.append()
        scenario.append_idempotent()
        scenario.end_transaction(aborts=True)
        scenario.roll()
    scenario.truncate(scenario.truth.end - 1)
    scenario.append_in_transaction()
    scenario.append_idempotent()
    scenario.append()
    scenario.delete_records(2)
    scenario.machine.directory.cleaner_offsets.write({PARTITION: 3})
    return scenario


def stopped(seed: str) -> LogScenario:
    """In order: nothing is recovered at the next start."""
    scenario = everything(seed)
    scenario.replicate()
    scenario.machine.stop()
    scenario.truth = scenario.truth.flushed().start_kept()
    return scenario


def killed_after_checkpoint(seed: str) -> LogScenario:
    """All is on disk and known to be; then an append that is not."""
    scenario = everything(seed)
    scenario.flush()
    scenario.checkpoint()
    scenario.append_idempotent()
    return scenario


def killed_unknown(seed: str) -> LogScenario:
    """No checkpoint shows what is on disk, so everything is recovered."""
    scenario = everything(seed)
    scenario.machine.directory.recovery_points.write({})
    scenario.machine.directory.log_start_offsets.write({})
    return scenario


def targets(disk: Disk) -> dict[str, list[tuple[str, FileNode]]]:
    """The files that have bits, by kind."""
    found: dict[str, list[tuple[str, FileNode]]] = {}
    for path, node in disk.files():
        if node.contents.size:
            found.setdefault(Flip(path, 0, 0).kind, []).append((path, node))
    return found


def flips(
    scenario: LogScenario, random: SeededRandom, count: int
) -> Iterator[tuple[Flip, SimulatedFiles]]:
    """So many flips, every kind of file in turn, each on a disk of its own."""
    kinds = list(targets(scenario.files.disk).values())
    for number in range(count):
        files_of_kind = kinds[number % len(kinds)]
        path, node = files_of_kind[random.randrange(0, len(files_of_kind))]
        flip = Flip(path, random.randrange(0, node.contents.size), random.randrange(0, 8))
        disk = prefix_state(scenario.files.disk, scenario.files.disk.moment).disk
        files = SimulatedFiles(scenario.clock, disk)
        file = files.open(path)
        (byte,) = file.read_at(flip.position, 1)
        file.write_at(flip.position, bytes([byte ^ 1 << flip.bit]))
        file.sync()
        yield flip, files


def judge_flip(scenario: LogScenario, flip: Flip, files: SimulatedFiles) -> str:
    """What came of it, in a word; an `AssertionError` or a foreign error if it is not allowed."""
    if flip.kind in REDUNDANT:
        judge(start_machine(files, scenario.clock).log, [scenario.truth])
        return "served as if nothing had happened"
    try:
        machine = start_machine(files, scenario.clock)
    except MoldauError:
        return "refused to start"
    return _judge_served(machine, scenario.truth, flip)


def _judge_served(machine: Machine, truth: Truth, flip: Flip) -> str:
    log = machine.log
    known = {cell.data[CHECKSUM_COVERS_FROM:]: cell for cell in truth.cells}
    outcome, offset = "served", log.log_start_offset
    while True:
        try:
            cells = list(_checked(log, offset))
        except MoldauError:
            outcome, cells = "refused to read", []
        for cell in cells:
            _judge_cell(cell, known, flip)
        if not cells:
            _ask_everything(log)
            return outcome
        offset = cells[-1].header.next_offset


def _checked(log: PartitionLog, offset: int) -> Iterator[Cell]:
    """What a reader that checks takes from one fetch."""
    expected = offset
    for cell in cells_of(log.read(offset, 5_000).read()):
        if cell.header.next_offset <= offset:
            continue
        if cell.header.magic != 2 or crc32c(cell.data[CRC_START:]) != cell.header.crc:
            raise CorruptRecordError("a reader that checks refuses this")
        if cell.header.next_offset <= expected:
            raise CorruptRecordError("offsets run back")
        expected = cell.header.next_offset
        yield cell


def _judge_cell(cell: Cell, known: dict[bytes, Cell], flip: Flip) -> None:
    written = known.get(cell.data[CHECKSUM_COVERS_FROM:])
    assert written is not None, f"{cell} was never written"
    assert flip.kind == ".log" or cell == written, f"{cell} is not where it was written"


def _ask_everything(log: PartitionLog) -> None:
    """Any question may be refused, but with our errors alone."""
    offsets = range(log.log_start_offset, min(log.log_end_offset, OFFSETS_ASKED))
    questions: list[Callable[[], object]] = [
        log.offset_of_max_timestamp,
        partial(log.offset_for_timestamp, START_MS + 100),
        *(partial(log.read, offset, 1) for offset in offsets),
        log.roll,
        log.flush,
        log.close,
    ]
    for question in questions:
        try:
            question()
        except MoldauError:
            continue
