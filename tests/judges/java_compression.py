"""Asks Kafka's Java client, in one run of a JVM, what it makes of many compressed blocks."""

from __future__ import annotations

import subprocess
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

PROGRAM = "JudgeCompression"
DEFAULT_LEVEL = -(2**31)
TIMEOUT_S = 100
_QUESTION = Struct(">cbbii")
_ANSWER = Struct(">bi")


class Question(NamedTuple):
    """Compress or decompress `data`."""

    compress: bool
    codec: int
    data: bytes
    level: int = DEFAULT_LEVEL
    magic: int = 2


class Answer(NamedTuple):
    """The bytes, or the name of Java's error and no bytes."""

    data: bytes | None
    error: str = ""


def ask_java(libs: Path, questions: list[Question]) -> list[Answer]:
    command = compiled(["java", "-Xmx300m", "-cp", class_path(libs)], PROGRAM)
    asked = b"".join(_encode(question) for question in questions)
    run = subprocess.run(command, input=asked, capture_output=True, timeout=TIMEOUT_S, check=False)
    assert run.returncode == 0, run.stderr.decode(errors="replace")
    answers = list(_decode(run.stdout))
    assert len(answers) == len(questions)
    return answers


def _encode(question: Question) -> bytes:
    verb = b"c" if question.compress else b"d"
    head = _QUESTION.pack(verb, question.codec, question.magic, question.level, len(question.data))
    return head + question.data


def _decode(output: bytes) -> list[Answer]:
    answers = []
    position = 0
    while position < len(output):
        good, length = _ANSWER.unpack_from(output, position)
        position += _ANSWER.size
        data = output[position : position + length]
        answers.append(Answer(data) if good else Answer(None, data.decode(errors="replace")))
        position += length
    return answers
