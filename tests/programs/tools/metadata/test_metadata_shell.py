"""`moldau metadata-shell` answers once, or as long as lines are typed."""

from __future__ import annotations

from io import StringIO

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command


@pytest.fixture
def call(files):
    def run(*words: str, typed: bytes = b"") -> tuple[int, str]:
        out = StringIO()
        world = World(
            files=files,
            clock=SimulatedClock(),
            random=SeededRandom(1),
            out=out,
            errors=out,
            typed=typed.splitlines(keepends=True),
        )
        return run_command(["metadata-shell", *words], world), out.getvalue()

    return run


def test_a_single_call_prints_its_answer(call):
    assert call("-s", "/data", "ls", "image/producerIds") == (0, "nextProducerId\n")
    assert call("--snapshot", "/data", "cd", "x")[1].startswith("invalid choice: 'cd'")


def test_lines_are_answered_behind_a_prompt_until_exit(call):
    code, printed = call("-s", "/data", typed=b"cd image/scram\npwd\nexit\npwd\n")
    assert (code, printed) == (0, "[ Kafka Metadata Shell ]\n>> >> /image/scram\n>> ")


def test_a_missing_directory_is_one_sentence(call):
    assert call("-s", "/none") == (
        1,
        "moldau metadata-shell: /none: there is no such snapshot, segment or directory\n",
    )
