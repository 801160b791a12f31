"""Is a recovered log right? Each check is one promise, and says what it found and what it wanted.

Whatever is wrong is an `AssertionError`; a recovery that raises is wrong as well, for there is
nothing legal that a crash leaves and a node cannot start on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import FetchResult, Isolation
from moldau.protocol.records.batch import CRC_START
from moldau.protocol.records.checksum import crc32c
from tests.simulation.producer_truth import ProducerTruth, ProducerTruths, producer_truths
from tests.simulation.truth import Cell, Truth, cells_of

READ_BYTES = 5_000
READS_MAX = 10_000


@dataclass(frozen=True)
class Served:
    """All that a log serves."""

    start: int
    end: int
    cells: tuple[Cell, ...]


def served_by(log: PartitionLog, isolation: Isolation = Isolation.LOG_END) -> Served:
    """Read the log from its start to its end, as a follower or a consumer would."""
    cells: list[Cell] = []
    offset = log.log_start_offset
    for _ in range(READS_MAX):
        result = log.read(offset, READ_BYTES, isolation)
        found = [cell for cell in cells_of(result.read()) if cell.header.last_offset >= offset]
        if not found:
            return Served(log.log_start_offset, log.log_end_offset, tuple(cells))
        cells += found
        offset = found[-1].header.next_offset
    raise AssertionError(f"reading did not come to an end at {offset}")


def judge(log: PartitionLog, truths: Sequence[Truth]) -> Served:
    """Check everything; what the log served comes back."""
    served = served_by(log)
    _check_batches(served)
    truth = _check_against(served, truths)
    _check_offsets(log, served)
    _check_timestamps(log, served)
    start = max(truth.start for truth in truths)
    _check_epochs(log, served, start)
    _check_producers(log, served, truth, start, any(truth.forgetful for truth in truths))
    return served


def _check_producers(
    log: PartitionLog, served: Served, truth: Truth, start: int, forgetful: bool
) -> None:
    """Producers are as the batches show it from some place at or before the log start.

    What lies below the start that was in force may be remembered or not, depending on snapshots:
    one that was taken after records were deleted survives a crash that the new start did not.
    """
    cells = [cell for cell in truth.history if cell.header.last_offset < served.end]
    below = sum(cell.header.last_offset < max(served.start, start) for cell in cells)
    possible = [producer_truths(cells[first:]) for first in range(below + 1)]
    full = possible[0]
    if forgetful:
        possible.append(producer_truths(served.cells))
    present = producer_truths([c for c in served.cells if c.header.last_offset >= start]).producers
    for producer_id in full.producers:
        if log.producers.entry(producer_id) is None:
            assert producer_id not in present, f"producer {producer_id} is forgotten"
        else:
            _check_producer(log, producer_id, possible)
    unknown = {entry.producer_id for entry in log.producers.active()} - set(full.producers)
    assert not unknown, f"producers {unknown} never wrote"
    _check_transactions(log, served, full)


def _check_batches(served: Served) -> None:
    next_offset = -1
    for cell in served.cells:
        assert crc32c(cell.data[CRC_START:]) == cell.header.crc, f"{cell} is corrupt"
        assert cell.header.base_offset >= next_offset, f"{cell} goes back behind {next_offset}"
        next_offset = cell.header.next_offset
    assert next_offset <= served.end, f"served up to {next_offset} where the end is {served.end}"


def _check_against(served: Served, truths: Sequence[Truth]) -> Truth:
    complaints = []
    for truth in truths:
        complaint = disagreement(served, truth)
        if complaint is None:
            break
        complaints.append(complaint)
    else:
        raise AssertionError("; or ".join(complaints))
    _check_kept(served, truth, min(truth.kept_end for truth in truths))
    first, last = min(t.kept_start for t in truths), max(t.start for t in truths)
    assert first <= served.start <= last, f"starts at {served.start}, not in {first} to {last}"
    return truth


def _check_kept(served: Served, truth: Truth, kept_end: int) -> None:
    """The end may lie lower than it was where compaction left nothing in between."""
    lost = [cell for cell in truth.cells if served.end <= cell.header.base_offset < kept_end]
    assert not lost, f"the log ends at {served.end}, but {lost} was synced"


def disagreement(served: Served, truth: Truth) -> str | None:
    """Why the log cannot be this truth without some of its end; None if it can."""
    low = max(served.start, truth.start)
    wanted = [cell for cell in truth.cells if cell.header.last_offset >= low]
    found = [cell for cell in served.cells if cell.header.last_offset >= low]
    if list(found) != wanted[: len(found)]:
        return f"holds {served.cells} where {wanted} were written"
    ghosts = [cell for cell in served.cells if cell.header.last_offset < low]
    strangers = [cell for cell in ghosts if cell not in truth.history + truth.cells]
    if strangers:
        return f"holds {strangers}, which were never written"
    end = found[-1].header.next_offset if found else low
    is_complete = served.end == truth.end and len(found) == len(wanted)
    if served.end != end and not is_complete and (found or served.end > low):
        return f"ends at {served.end} where its last batch ends at {end}"
    return None


def _check_offsets(log: PartitionLog, served: Served) -> None:
    """Every offset leads to the batch that holds it, or to the next one where there is a gap."""
    for cell in served.cells:
        for offset in {max(cell.header.base_offset, served.start), cell.header.last_offset}:
            result = log.read(offset, 1)
            found = cells_of(result.read())
            assert found[:1] == [cell], f"offset {offset} leads to {found[:1]}, not to {cell}"


def _check_timestamps(log: PartitionLog, served: Served) -> None:
    """The first batch that is as young as asked is the one that is found."""
    filled = [cell for cell in served.cells if cell.header.record_count]
    _check_largest_timestamp(log, served.cells)
    stamps = {cell.header.max_timestamp for cell in filled}
    for timestamp in stamps | {stamp + 1 for stamp in stamps}:
        wanted = next((c for c in filled if c.header.max_timestamp >= timestamp), None)
        found = log.offset_for_timestamp(timestamp)
        if wanted is None:
            assert found is None, f"timestamp {timestamp} is nowhere, but found at {found}"
        else:
            low, high = wanted.header.base_offset, wanted.header.last_offset
            assert found is not None, f"timestamp {timestamp} is in {wanted}, but not found"
            assert low <= found.offset <= high, f"timestamp {timestamp}: {found}, not in {wanted}"


def _check_largest_timestamp(log: PartitionLog, cells: Sequence[Cell]) -> None:
    """Unless it lies below the log's start, in a segment that is still needed.

    A batch that compaction has emptied keeps its timestamp, and has no record to be found.
    """
    found = log.offset_of_max_timestamp()
    filled = [cell for cell in cells if cell.header.record_count]
    if not filled or (found is not None and found.offset < log.log_start_offset):
        return
    largest = max(cell.header.max_timestamp for cell in filled)
    if any(cell.header.max_timestamp > largest for cell in cells):
        assert found is None, f"the largest timestamp is that of an emptied batch, not of {found}"
        return
    wanted = next(cell for cell in filled if cell.header.max_timestamp == largest)
    assert found is not None, f"the largest timestamp is that of {wanted}, but none is found"
    assert found.timestamp == largest, f"the largest timestamp is {largest}, but found: {found}"
    assert found.offset <= wanted.header.last_offset, f"{found} is behind {wanted}"


def _check_epochs(log: PartitionLog, served: Served, start: int) -> None:
    """Below the start that was in force epochs may be forgotten already."""
    for cell in served.cells:
        offset = max(cell.header.base_offset, served.start)
        epoch = log.epochs.epoch_for_offset(offset)
        if offset >= start:
            assert epoch == cell.header.leader_epoch, f"{cell} is noted under epoch {epoch}"
    starts = [entry.start_offset for entry in log.epochs.entries]
    assert all(start <= served.end for start in starts), f"epochs {starts} end behind {served.end}"


def _check_producer(log: PartitionLog, producer_id: int, possible: list[ProducerTruths]) -> None:
    entry = log.producers.entry(producer_id)
    assert entry is not None
    found = ProducerTruth(
        entry.epoch, entry.last_sequence, entry.last_offset, entry.transaction_first_offset
    )
    wanted = [one.producers[producer_id] for one in possible if producer_id in one.producers]
    assert found in wanted, f"producer {producer_id}: {found} where {wanted} is true"


def _check_transactions(log: PartitionLog, served: Served, producers: ProducerTruths) -> None:
    """A reader of committed data sees all that is committed, in order, and nothing else."""
    log.high_watermark = served.end
    begun = [entry.transaction_first_offset for entry in log.producers.active()]
    open_since = min((offset for offset in begun if offset is not None), default=None)
    stable = served.end if open_since is None else max(open_since, served.start)
    assert log.last_stable_offset == stable, f"stable up to {log.last_stable_offset}, not {stable}"
    wanted = [
        cell
        for cell in served.cells
        if cell.header.last_offset < stable
        and not cell.header.is_control
        and cell.header.record_count
        and not producers.is_aborted(cell)
    ]
    found = committed_cells(log)
    assert found == wanted, f"readers of committed data see {found} where {wanted} is committed"


def committed_cells(log: PartitionLog) -> list[Cell]:
    """What a consumer with read_committed hands to its user."""
    cells: list[Cell] = []
    offset = log.log_start_offset
    for _ in range(READS_MAX):
        result = log.read(offset, READ_BYTES, Isolation.COMMITTED)
        found = [cell for cell in cells_of(result.read()) if cell.header.last_offset >= offset]
        if not found:
            return cells
        cells += _without_aborted(found, result)
        offset = found[-1].header.next_offset
    raise AssertionError(f"reading did not come to an end at {offset}")


def _without_aborted(cells: list[Cell], result: FetchResult) -> list[Cell]:
    """As the Java consumer does it: a producer is skipped from an entry's start to its marker."""
    waiting = sorted(result.aborted_transactions or (), key=lambda aborted: aborted.first_offset)
    skipped: set[int] = set()
    kept = []
    for cell in cells:
        while waiting and waiting[0].first_offset <= cell.header.last_offset:
            skipped.add(waiting.pop(0).producer_id)
        if cell.header.is_control:
            skipped.discard(cell.header.producer_id)
        elif not (cell.header.is_transactional and cell.header.producer_id in skipped):
            if cell.header.record_count == 0:
                continue
            kept.append(cell)
    return kept
