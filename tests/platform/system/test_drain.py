"""Covers moldau.platform.system.drain."""

from __future__ import annotations

import subprocess
import sys

import pytest

from moldau.platform.system.drain import KEPT_BYTES, Drain


@pytest.mark.parametrize("size", [0, 5, KEPT_BYTES, KEPT_BYTES * 20])
def test_a_program_writes_as_much_as_it_likes_and_the_start_is_kept(size):
    drain = Drain()
    program = f"import sys; sys.stderr.write('ab' * {size // 2} + 'c' * {size % 2})"
    subprocess.run([sys.executable, "-c", program], stderr=drain.fileno(), check=True, timeout=60)
    drain.close()
    text = drain.start_of_all()
    assert len(text) == min(size, KEPT_BYTES)
    assert text.startswith("ab" * (min(size, 4) // 2))
