"""The pseudo-terminal of tests, which must not hold up the programs that it looks at."""

from __future__ import annotations

from tests.programs.tools.terminal import Terminal

LINES = 20_000
"""More than a terminal keeps for a reader."""


def test_a_program_that_writes_much_ends_and_all_of_it_is_there():
    terminal = Terminal("-c", f"for line in range({LINES}): print(line)")
    assert terminal.end() == 0
    assert terminal.text.splitlines() == [str(line) for line in range(LINES)]
