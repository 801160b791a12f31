"""Asks Kafka's own assignor of share groups, in one run of a JVM, what it would assign."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from moldau.broker.coordinator.group.share.assignor import Given, SharedWork
from moldau.broker.coordinator.group.share.member import Assignment
from moldau.protocol.wire.uuids import parse_uuid, uuid_text
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

PROGRAM = "JudgeShareAssignor"
TIMEOUT_S = 110
ID_SIZE = 22
FAILED = None
"""Where the assignor itself fails."""


def ask_java(libs: Path, questions: list[SharedWork]) -> list[dict[str, Given] | None]:
    command = compiled(["java", "-Xmx300m", "-cp", class_path(libs)], PROGRAM)
    asked = "".join(line + "\n" for question in questions for line in _lines(question))
    run = subprocess.run(
        command, input=asked, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert run.returncode == 0, run.stderr
    answers = list(_answers(run.stdout))
    assert len(answers) == len(questions)
    return answers


def _lines(work: SharedWork) -> Iterator[str]:
    yield f"group\t{'HOMOGENEOUS' if work.is_homogeneous else 'HETEROGENEOUS'}"
    for topic_id, partitions in work.assignable.items():
        yield f"topic\t{uuid_text(topic_id)}\t{','.join(map(str, sorted(partitions))) or '-'}"
    for member_id, topics in work.subscriptions.items():
        named = ",".join(map(uuid_text, topics)) or "-"
        yield f"member\t{member_id}\t{named}\t{_text(work.before.get(member_id, {}))}"
    yield "end"


def _text(assignment: Assignment) -> str:
    entries = (
        f"{uuid_text(topic_id)}:{','.join(map(str, partitions))}"
        for topic_id, partitions in assignment.items()
    )
    return ";".join(entries) or "-"


def _answers(output: str) -> Iterator[dict[str, Given] | None]:
    answer: dict[str, Given] | None = {}
    for line in output.splitlines():
        if line == "end":
            yield answer
            answer = {}
        elif line == "failed":
            answer = FAILED
        elif answer is not None:
            member_id, text = line.split("\t")
            answer[member_id] = _given(text)


def _given(text: str) -> Given:
    entries = [] if text == "-" else text.split(";")
    return {
        parse_uuid(entry[:ID_SIZE]): [int(one) for one in entry[ID_SIZE + 1 :].split(",") if one]
        for entry in entries
    }
