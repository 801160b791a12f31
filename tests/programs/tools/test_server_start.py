"""What `moldau server-start` refuses; `test_server_stop` starts a node by it."""

from io import StringIO

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command


def test_a_file_that_is_not_there_is_named():
    out = StringIO()
    world = World(
        files=SimulatedFiles(), clock=SimulatedClock(), random=SeededRandom(1), out=out, errors=out
    )
    assert run_command(["server-start", "no-such.properties"], world) == 1
    assert "no-such.properties" in out.getvalue()
