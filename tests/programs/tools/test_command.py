"""A world takes rows only where something was asked for that shows them."""

from io import StringIO

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import FORMATS, World
from moldau.programs.tools.rows import Rows


def world_with(rows: Rows | None) -> World:
    return World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=StringIO(),
        errors=StringIO(),
        rows=rows,
    )


def test_without_output_rows_are_left_to_the_command():
    assert not world_with(None).takes(["GROUP"], [["a"]])


def test_with_output_rows_are_taken_in_every_form():
    for form in FORMATS:
        rows = Rows(form)
        assert world_with(rows).takes(["GROUP", "HOST"], [["a", "b"]], ["HOST"])
        assert rows.is_begun
