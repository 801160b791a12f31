"""`moldau format` writes directories, or says in one sentence why not."""

from io import StringIO

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command

SETTINGS = b"""process.roles=broker,controller
node.id=1
controller.listener.names=C
listeners=PLAINTEXT://:9092,C://:9093
log.dirs=/data
"""


class Terminal:
    """One machine with a file of settings."""

    def __init__(self):
        self.files = SimulatedFiles()
        self.files.open("server.properties", create=True).append(SETTINGS)

    def run(self, line):
        out, errors = StringIO(), StringIO()
        world = World(
            files=self.files,
            clock=SimulatedClock(),
            random=SeededRandom(1),
            out=out,
            errors=errors,
        )
        return run_command(["format", *line.split()], world), out.getvalue(), errors.getvalue()


def test_a_dry_run_names_the_directories_and_writes_nothing():
    terminal = Terminal()
    line = "-t c -c server.properties --standalone"
    assert terminal.run(f"{line} --dry-run") == (
        0,
        "DRY RUN of formatting dynamic metadata voter directory /data with metadata.version "
        "4.3-IV0.\n",
        "",
    )
    assert terminal.files.status("/data") is None
    assert terminal.run(line)[0] == 0
    assert terminal.run(f"{line} --dry-run")[0] == 1


def test_a_directory_is_formatted_and_a_second_time_refused():
    terminal = Terminal()
    line = "-t c -c server.properties --standalone"
    assert terminal.run(line) == (
        0,
        "Formatting dynamic metadata voter directory /data with metadata.version 4.3-IV0.\n",
        "",
    )
    code, out, errors = terminal.run(line)
    assert (code, out) == (1, "")
    assert errors.startswith("moldau format: Log directory /data is already formatted.")


def test_a_setting_on_the_command_line_wins():
    terminal = Terminal()
    code, out, _ = terminal.run("-t c -c server.properties -s --set log.dirs=/other")
    assert code == 0
    assert "/other" in out
    assert terminal.files.status("/data") is None


def test_a_missing_file_of_settings_is_named():
    code, _, errors = Terminal().run("-t c -c none.properties -s")
    assert code == 1
    assert "none.properties: there is no such file" in errors


def test_users_with_their_passwords_come_from_a_file():
    terminal = Terminal()
    users = terminal.files.open("users", create=True)
    users.append(b"SCRAM-SHA-256=[name=alice,password=wonder]\n\nSCRAM-SHA-512=[name=bob]\n")
    line = "-t c -c server.properties --standalone -S @users"
    code, _, errors = terminal.run(line)
    assert code == 1
    assert "wonder" not in errors
    users.truncate(0)
    users.append(b"SCRAM-SHA-256=[name=alice,password=wonder]\n")
    assert terminal.run(line)[0] == 0
    snapshot = terminal.files.open("/data/bootstrap.checkpoint")
    assert b"alice" in snapshot.read_at(0, snapshot.size())
    assert terminal.run(line.replace("users", "gone"))[0] == 1
