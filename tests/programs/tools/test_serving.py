"""What commands that serve HTTP share; whole programs are started in tests/interop."""

from __future__ import annotations

import io
import os
import signal
from argparse import ArgumentParser, Namespace

from moldau.platform.ports.network import Address
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import SystemPromise, SystemTasks
from moldau.programs.tools.command import World
from moldau.programs.tools.serving import client_settings, declare_serving, serve

DEFAULT = Address("127.0.0.1", 8000)


class Program:
    """Serves nothing, and sends its own process the signal of a user who ends it."""

    def __init__(self, *, ended_while_starting: bool = False) -> None:
        self.calls: list[str] = []
        self._ended_while_starting = ended_while_starting
        self._never: SystemPromise[None] | None = None

    def for_tasks(self, tasks: SystemTasks) -> Program:
        self._never = tasks.promise()
        return self

    @property
    def address(self) -> Address:
        os.kill(os.getpid(), signal.SIGTERM)
        return Address("127.0.0.1", 9)

    async def start(self, address: Address, /) -> None:
        self.calls.append(f"start {address}")
        if self._ended_while_starting:
            os.kill(os.getpid(), signal.SIGTERM)
            assert self._never is not None
            await self._never.wait()

    async def stop(self) -> None:
        self.calls.append("stop")


def a_world(out: io.StringIO) -> World:
    return World(
        files=SystemFiles(),
        clock=SystemClock(),
        random=SystemRandom(),
        out=out,
        errors=io.StringIO(),
    )


def options_for(*given: str) -> Namespace:
    parser = ArgumentParser()
    declare_serving(parser, DEFAULT)
    return parser.parse_args(["--bootstrap-server", "a:1", *given])


def serve_it(program: Program) -> str:
    """Its standard output, once it has ended well."""
    out = io.StringIO()
    options = options_for("--listen", "127.0.0.1:0")
    assert serve(options, a_world(out), lambda _, tasks: program.for_tasks(tasks)) == 0
    return out.getvalue()


def test_its_ready_line_has_the_address_and_it_stops_at_a_signal():
    program = Program()
    assert serve_it(program) == "moldau: ready on 127.0.0.1:9\n"
    assert program.calls == ["start 127.0.0.1:0", "stop"]


def test_a_signal_while_it_starts_ends_it_before_it_is_ready():
    program = Program(ended_while_starting=True)
    assert serve_it(program) == ""
    assert program.calls == ["start 127.0.0.1:0"]


def test_clients_have_the_settings_of_the_file_and_the_flag_names_the_cluster(tmp_path):
    file = tmp_path / "client.properties"
    file.write_text("client.id = lag\nbootstrap.servers = b:2\n")
    options = options_for("--command-config", str(file))
    settings = client_settings(options, a_world(io.StringIO()))
    assert settings == {"client.id": "lag", "bootstrap.servers": "a:1"}


def test_it_listens_at_the_address_of_the_program_unless_one_is_given():
    assert options_for().listen == DEFAULT
    assert str(options_for("--listen", "0.0.0.0:1").listen) == "0.0.0.0:1"
