"""Up to where the metadata log is known to be whole."""

from __future__ import annotations

import pytest

from moldau.broker.runtime.quorum.committed_note import FILE_NAME, CommittedNote
from moldau.platform.ports.files import read_whole
from moldau.platform.simulated.files import SimulatedFiles


@pytest.fixture
def files():
    files = SimulatedFiles()
    files.make_directory("log")
    return files


def test_the_last_number_is_read_after_a_crash_of_the_process(files):
    note = CommittedNote(files, "log")
    assert note.read() == 0
    for offset in (7, 1_000_000, 12):
        note.write(offset)
    assert CommittedNote(files, "log").read() == 1_000_000


def test_it_has_the_form_of_a_checkpoint_at_one_width(files):
    note = CommittedNote(files, "log")
    note.write(5)
    first = read_whole(files, f"log/{FILE_NAME}")
    note.write(2**63 - 1)
    note.close()
    assert first.split(b"\n")[:2] == [b"0", b"1"]
    assert len(read_whole(files, f"log/{FILE_NAME}")) == len(first)


def test_what_a_crash_made_of_it_is_no_number(files):
    file = files.open(f"log/{FILE_NAME}", create=True)
    file.append(b"\0" * 45)
    assert CommittedNote(files, "log").read() == 0
    CommittedNote(files, "log").write(3)
    assert CommittedNote(files, "log").read() == 3
