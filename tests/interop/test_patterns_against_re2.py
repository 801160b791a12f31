"""Judge: RE2 for Java, which Kafka uses, refuses the same patterns and matches the same names."""

from __future__ import annotations

import re
import subprocess
from random import Random

import pytest

from moldau.broker.coordinator.group.consumer.patterns import parse_pattern
from moldau.errors import KafkaError
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

pytestmark = pytest.mark.judge

NAMES = ("", "a", "b", "ab", "ba", "abab", "a.b", "A", "1", "t-12", "_a", "aa", "z_z")
PIECES = (
    *"abA.1-_|()[]^$*+?",
    *("{1}", "{1,2}", "{2,}", "{0}", "{2", "{,2}"),
    *("[a-z]", "[^a]", "[ab.]", r"[\d]", r"[a\-z]", "[z-a]", "[[:alpha:]]", "[[:^digit:]]"),
    *("(?i)", "(?:", "(?i:", "(?P<n>"),
    *(r"\d", r"\w", r"\W", r"\s", r"\b", r"\B", r"\A", r"\z", r"\.", r"\x61", r"\141"),
    *(r"\Qa.\E", r"\pL", r"\p{Lu}", r"\PN", r"\p{Greek}"),
)
SEED = 11
PATTERNS = 4_000
SIZE_MAX = 6


ODD = re.compile(r"\(\?i\)[*+?{]")
"""RE2 for Java lets an operator repeat what stands before the flags; we refuse that."""


def patterns() -> list[str]:
    random = Random(SEED)
    drawn = (
        "".join(random.choice(PIECES) for _ in range(random.randrange(1, SIZE_MAX)))
        for _ in range(PATTERNS)
    )
    return [text for text in drawn if not ODD.search(text)]


def ours(text: str) -> str:
    try:
        pattern = parse_pattern(text)
    except KafkaError:
        return "bad"
    return "".join(str(int(pattern.matches(name))) for name in NAMES)


def test_re2_says_the_same_of_every_pattern(kafka_libs):
    drawn = patterns()
    asked = "".join(f"{text}\t{','.join(NAMES)}\n" for text in drawn)
    command = compiled(["java", "-Xmx300m", "-cp", class_path(kafka_libs)], "JudgePatterns")
    run = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=100)
    assert run.returncode == 0, run.stderr
    theirs = run.stdout.splitlines()
    assert len(theirs) == len(drawn)
    different = [
        (text, ours(text), answer)
        for text, answer in zip(drawn, theirs, strict=True)
        if ours(text) != answer
    ]
    assert not different, "\n".join(map(str, different[:40]))
