"""Files that an unclean stop left behind."""

from __future__ import annotations

from moldau.broker.log.leftovers import tidy_up
from tests.broker.log.logs import DIRECTORY, SMALL, Bench, fill, offsets_of

FIRST = "00000000000000000000"


def closed() -> Bench:
    bench = Bench()
    log = bench.open()
    fill(log, 30)
    log.close()
    return bench


def copy(bench: Bench, name: str, target: str) -> None:
    bench.overwrite(target, bench.contents(name))


def test_what_had_left_the_log_or_was_never_in_it_is_removed():
    bench = closed()
    names = bench.names()
    for suffix in (".deleted", ".cleaned"):
        for kind in (".log", ".index", ".timeindex", ".snapshot"):
            bench.overwrite(f"{FIRST}{kind}{suffix}", b"old")
    assert tidy_up(bench.files, DIRECTORY, SMALL) == names
    assert bench.names() == names


def test_a_complete_swap_takes_its_place_and_its_range():
    bench = closed()
    bases = bench.open().segments.base_offsets
    second = f"{bases[1]:020d}.log"
    merged = bench.contents(f"{FIRST}.log") + bench.contents(second)
    bench.overwrite(f"{FIRST}.log.swap", merged)
    left = tidy_up(bench.files, DIRECTORY, SMALL)
    assert second not in left
    assert bench.contents(f"{FIRST}.log") == merged
    assert offsets_of(bench.open()) == list(range(30))


def test_a_switch_that_had_only_begun_is_taken_back():
    bench = closed()
    names = bench.names()
    copy(bench, f"{FIRST}.log", f"{FIRST}.log.cleaned")
    copy(bench, f"{FIRST}.log", "00000000000000000006.log.swap")
    assert tidy_up(bench.files, DIRECTORY, SMALL) == names


def test_indexes_without_their_log_are_removed():
    bench = closed()
    names = bench.names()
    for kind in (".index", ".timeindex", ".txnindex"):
        bench.overwrite(f"00000000000000000099{kind}", b"")
    assert tidy_up(bench.files, DIRECTORY, SMALL) == names


def test_the_new_transaction_index_is_kept_though_its_log_is_still_a_swap():
    bench = closed()
    bench.files.rename(f"{DIRECTORY}/{FIRST}.log", f"{DIRECTORY}/{FIRST}.log.swap")
    bench.overwrite(f"{FIRST}.txnindex", b"new")
    assert f"{FIRST}.txnindex" in tidy_up(bench.files, DIRECTORY, SMALL)
