"""What the virtual disk adds to the port; its common promises are in tests/platform/ports."""

from __future__ import annotations

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles


def test_a_file_has_the_time_of_its_last_change():
    clock = SimulatedClock()
    files = SimulatedFiles(clock)
    file = files.open("/a", create=True)
    clock.advance_ms(5_000)
    file.append(b"x")
    status = files.status("/a")
    assert status is not None
    assert status.modified_ms == clock.now_ms()


def test_misuse_is_our_own_bug_and_stops_loudly():
    files = SimulatedFiles()
    file = files.open("/a", create=True)
    with pytest.raises(AssertionError, match="read-only"):
        files.open("/a", read_only=True).append(b"x")
    file.close()
    with pytest.raises(AssertionError, match="closed"):
        file.read_at(0, 1)


def test_there_is_nothing_for_sendfile():
    assert SimulatedFiles().open("/a", create=True).descriptor() is None
