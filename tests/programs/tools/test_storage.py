"""`moldau storage` without a node."""

from io import StringIO

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command


def world() -> World:
    out = StringIO()
    return World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=out,
        errors=out,
    )


def test_a_way_that_is_none_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as caught:
        run_command(["storage", "frob"], world())
    assert caught.value.code == 1
    assert "invalid choice: 'frob'" in capsys.readouterr().err


def test_an_id_is_as_kafkas():
    made = world()
    assert run_command(["storage", "random-uuid"], made) == 0
    assert isinstance(made.out, StringIO)
    assert len(made.out.getvalue().strip()) == 22
