"""State batches combine as in Kafka's share coordinator.

Where written batches overlap, Kafka sometimes leaves neighbours of the same fate apart; so
what is compared is the state of each offset.
"""

from __future__ import annotations

import random
import subprocess

import pytest

from moldau.broker.coordinator.share.state_batches import StateBatch, combine
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

pytestmark = pytest.mark.judge

PROGRAM = "JudgeStateBatches"
CASES = 2_000
TIMEOUT_S = 100
Case = tuple[int, list[StateBatch], list[StateBatch]]


def drawn(dice: random.Random) -> Case:
    """What is stored has no overlaps; what is written may have any."""
    stored, offset = [], 0
    for _ in range(dice.randrange(5)):
        first = offset + dice.randrange(3)
        offset = first + dice.randrange(1, 6)
        stored.append(StateBatch(first, offset - 1, dice.choice([0, 2, 4]), dice.randrange(1, 4)))
    written = []
    for _ in range(dice.randrange(4)):
        first = dice.randrange(20)
        last = first + dice.randrange(8)
        written.append(StateBatch(first, last, dice.choice([0, 2, 4]), dice.randrange(1, 4)))
    return dice.choice([-1, 0, 3, 10]), combine(stored, [], -1), written


def text(state_batches: list[StateBatch]) -> str:
    return " ".join(",".join(map(str, one)) for one in state_batches)


def read(answer: str) -> list[StateBatch]:
    return [StateBatch(*map(int, one.split(","))) for one in answer.split()]


def test_state_batches_combine_as_in_java(kafka_libs):
    dice = random.Random(random.getrandbits(32))
    cases = [drawn(dice) for _ in range(CASES)]
    asked = "\n".join(f"{start};{text(stored)};{text(written)}" for start, stored, written in cases)
    run = subprocess.run(
        compiled(["java", "-Xmx128m", "-cp", class_path(kafka_libs)], PROGRAM),
        input=asked + "\n", capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    answers = run.stdout.splitlines()
    assert len(answers) == len(cases)
    for (start, stored, written), answer in zip(cases, answers, strict=True):
        java = combine(read(answer), [], -1)
        assert combine(stored, written, start) == java, (start, stored, written)
