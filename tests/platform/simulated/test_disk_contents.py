"""Sparse contents behave like a plain array of bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.platform.simulated.disk_contents import PAGE_SIZE, Contents

POSITIONS = st.integers(0, 3 * PAGE_SIZE)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), POSITIONS, st.binary(min_size=1, max_size=9000)),
        st.tuples(st.just("resize"), POSITIONS, st.just(b"")),
    ),
    max_size=8,
)


def applied_to_plain(plain: bytearray, verb: str, position: int, data: bytes) -> None:
    end = position if verb == "resize" else position + len(data)
    if len(plain) < end:
        plain.extend(bytes(end - len(plain)))
    if verb == "resize":
        del plain[position:]
    else:
        plain[position:end] = data


@given(STEPS, POSITIONS, st.integers(0, 20_000))
def test_any_writes_and_cuts_leave_what_a_plain_array_holds(steps, position, size):
    contents, plain = Contents(), bytearray()
    for verb, at, data in steps:
        if verb == "write":
            contents.write(at, data)
        else:
            contents.resize(at)
        applied_to_plain(plain, verb, at, data)
    assert contents.size == len(plain)
    assert contents.read(0, len(plain) + 1) == plain
    assert contents.read(position, size) == plain[position : position + size]


@given(STEPS)
def test_the_changed_pages_that_are_reported_are_all_that_changed(steps):
    contents = Contents()
    for verb, at, data in steps:
        before = contents.copy()
        changed = contents.write(at, data) if verb == "write" else contents.resize(at)
        kept = contents.page_after(contents.size)
        for number in range(kept):
            expected = changed.get(number, before.page(number))
            assert contents.page(number) == expected


def test_a_preallocated_file_takes_no_room():
    contents = Contents()
    contents.resize(10 << 20)
    assert contents.pages == {}
    contents.write(5 << 20, b"entry")
    assert len(contents.pages) == 1
