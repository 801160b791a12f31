"""A piece of a file, as a fetch answer is made of."""

from __future__ import annotations

from moldau.broker.log.segment.file_slice import FileSlice
from moldau.platform.simulated.files import SimulatedFiles


def test_a_slice_reads_its_piece_of_the_file():
    file = SimulatedFiles().open("f", create=True)
    file.append(b"0123456789")
    assert FileSlice(file, 3, 4).read() == b"3456"
