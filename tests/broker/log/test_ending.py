"""A log that ends before damage: what goes is kept and reported."""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.log.ending import end_log
from moldau.broker.log.findings import FindingKind
from moldau.broker.log.recovery import Stop
from tests.broker.log.logs import DIRECTORY, Bench, fill, offsets_of


def filled():
    bench = Bench()
    log = bench.open()
    fill(log, 30)
    return bench, log


def test_the_rest_of_a_segment_and_all_behind_it_is_kept_and_reported():
    bench, log = filled()
    state = log.state
    first, *later = log.segments
    (position, header), *_ = list(first.batches())[2:]
    whole = bench.contents(f"{0:020d}.log")
    others = {one.base_offset: bench.contents(f"{one.base_offset:020d}.log") for one in later}
    end_log(state, Stop(first, position, header.base_offset, "it is so"), later)
    (found,) = state.findings
    assert (found.kind, found.offset, found.end_offset) == (FindingKind.CUT, 2, 30)
    assert (found.segments, found.size) == (
        len(others),
        len(whole) - position + sum(map(len, others.values())),
    )
    kept = {path.removeprefix(f"{DIRECTORY}/"): None for path in found.kept}
    contents = {name: bench.contents(name) for name in kept}
    assert contents == {
        f"{0:020d}-{position:010d}.cut": whole[position:],
        **{f"{base:020d}-{0:010d}.cut": data for base, data in others.items()},
    }
    assert [one.base_offset for one in state.segments] == [0]
    assert first.size == position


def test_a_segment_without_records_leaves_no_file():
    bench, log = filled()
    log.roll()
    *_, last, empty = log.segments
    end_log(log.state, Stop(empty, 0, 30, "it is so"), [empty])
    assert bench.names(".cut") == []
    assert log.state.findings[0].lost_offsets == 0
    assert log.segments.active is last


def test_what_lies_behind_damage_can_be_opened_again_elsewhere():
    bench, log = filled()
    first, *later = log.segments
    end_log(log.state, Stop(later[0], 0, later[0].base_offset, "it is so"), later)
    other = Bench(replace(bench.settings))
    other.files.make_directory(DIRECTORY)
    name = bench.names(".cut")[0]
    other.overwrite(f"{name[:20]}.log", bench.contents(name))
    offsets = offsets_of(other.open())
    assert offsets[0] == later[0].base_offset == first.next_offset()
