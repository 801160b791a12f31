"""`moldau random-uuid` prints one id."""

from io import StringIO

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from moldau.protocol.wire.uuids import parse_uuid


def printed(seed):
    out = StringIO()
    world = World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(seed),
        out=out,
        errors=StringIO(),
    )
    assert run_command(["random-uuid"], world) == 0
    return out.getvalue()


def test_an_id_is_printed_alone_on_a_line():
    line = printed(1)
    assert line.endswith("\n")
    assert len(parse_uuid(line.strip())) == 16
    assert printed(1) == line != printed(2)
