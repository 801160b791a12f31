"""What lies in a log, format by format."""

from __future__ import annotations

from moldau.broker.log.dump.found import FoundBatch, FoundMessage, batches_in
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.log.batches import batch
from tests.protocol.records.captured import TIME
from tests.protocol.records.legacy_messages import message, wrapper

WHOLE = wrapper(3, message(0, b"a"), message(1, b"b", timestamp=TIME + 7))


def found_in(contents):
    file = SimulatedFiles().open("00000000000000000000.log", create=True)
    file.append(contents)
    return list(batches_in(file, 0, file.size()))


def test_each_format_is_what_it_is_and_where_it_is():
    old, new = found_in(WHOLE + bytes(batch(4)))
    assert isinstance(old, FoundMessage)
    assert isinstance(new, FoundBatch)
    assert (old.position, old.size, old.last_offset) == (0, len(WHOLE), 3)
    assert (new.position, new.last_offset) == (len(WHOLE), 4)


def test_an_index_is_compared_with_the_times_inside_a_wrapper():
    (found,) = found_in(WHOLE)
    assert list(found.timestamps()) == [TIME, TIME + 7]


def test_what_is_cut_off_is_not_found():
    assert found_in(WHOLE[:-1]) == found_in(WHOLE[:16]) == []
