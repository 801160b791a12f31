"""`moldau profile`: secrets come by standard input and are never shown."""

from __future__ import annotations

import stat
import subprocess
import sys
from io import StringIO

import pytest

from moldau.config.java_properties import parse_properties
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def run(words: str, typed: bytes = b"") -> tuple[int, list[str]]:
        out = StringIO()
        world = World(
            files=SystemFiles(),
            clock=SimulatedClock(),
            random=SeededRandom(1),
            out=out,
            errors=out,
            typed=typed.splitlines(keepends=True),
        )
        return run_command(words.split(), world), out.getvalue().splitlines()

    return run


def test_a_profile_is_set_shown_listed_and_removed(call):
    assert call("profile set staging bootstrap.servers=a:9092 client.id=me")[0] == 0
    assert call("profile set staging client.id=")[0] == 0
    assert call("profile show staging") == (0, ["bootstrap.servers=a:9092"])
    assert call("profile list") == (0, ["staging  a:9092"])
    assert call("profile list --output csv") == (0, ["profile,servers", "staging,a:9092"])
    assert call("profile remove staging") == (0, ["Removed profile staging."])
    assert call("profile list") == (0, [])


def test_a_secret_comes_by_standard_input_and_its_file_is_private(call, tmp_path):
    assert call("profile set a sasl.jaas.config=-", b"x password=y;\n")[0] == 0
    place = tmp_path / "moldau/profiles/a.properties"
    assert parse_properties(place.read_bytes()) == {"sasl.jaas.config": "x password=y;"}
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert call("profile show a") == (0, ["sasl.jaas.config=[hidden]"])


def test_a_secret_on_the_command_line_is_refused_and_nothing_is_written(call, tmp_path):
    code, (line,) = call("profile set a ssl.key.password=hunter2")
    assert code == 1
    assert "ssl.key.password is a secret" in line
    assert "hunter2" not in line
    assert not (tmp_path / "moldau").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("profile show", "needs the name of a profile"),
        ("profile show a", "there is no profile a (none so far)"),
        ("profile set a b", "'b' is no setting"),
        ("profile set ../a b=c", "is no name of a profile"),
        ("--profile a topics --list", "there is no profile a"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(call, words, reason):
    code, (line,) = call(words)
    assert (code, reason in line) == (1, True)


def test_a_profile_without_a_command_is_wrong_usage(call):
    assert call("--profile a")[0] == 2


def test_a_profile_named_by_a_variable_holds_for_calls_that_name_no_servers(call, monkeypatch):
    monkeypatch.setenv("MOLDAU_PROFILE", "gone")
    assert "there is no profile gone" in call("topics --list")[1][0]
    assert call("profile list") == (0, [])


def test_a_call_reaches_the_cluster_of_its_profile(call):
    call("profile set near bootstrap.servers=127.0.0.1:1 default.api.timeout.ms=1000")
    code, lines = call("--profile=near topics --list")
    assert code == 1
    assert "127.0.0.1:1" in lines[0]


def test_help_needs_no_profile():
    command = [sys.executable, "-m", "moldau", "--profile", "gone", "topics", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "--bootstrap-server" in done.stdout
