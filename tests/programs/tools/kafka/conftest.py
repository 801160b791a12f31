"""`call` runs a tool without any cluster: its exit code, and what it printed."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from io import StringIO

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command

Call = Callable[[str], tuple[int, list[str]]]


@pytest.fixture
def world() -> World:
    out = StringIO()
    return World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=out,
        errors=out,
    )


@pytest.fixture
def call(world: World) -> Call:
    def run(words: str) -> tuple[int, list[str]]:
        code = run_command(shlex.split(words), world)
        assert isinstance(world.out, StringIO)
        printed = world.out.getvalue().splitlines()
        world.out.truncate(0)
        world.out.seek(0)
        return code, printed

    return run
