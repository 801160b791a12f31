"""Asks Kafka's own assignors, in one run of a JVM, what they would assign."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment, GroupSpec
from moldau.protocol.wire.uuids import parse_uuid, uuid_text
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

PROGRAM = "JudgeAssignors"
TIMEOUT_S = 110


class Question(NamedTuple):
    """What would this assignor do with this group?"""

    assignor: str
    spec: GroupSpec


def ask_java(libs: Path, questions: list[Question]) -> list[dict[str, Assignment]]:
    command = compiled(["java", "-Xmx300m", "-cp", class_path(libs)], PROGRAM)
    asked = "".join(line + "\n" for question in questions for line in _lines(question))
    run = subprocess.run(
        command, input=asked, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert run.returncode == 0, run.stderr
    answers = list(_answers(run.stdout))
    assert len(answers) == len(questions)
    return answers


def _lines(question: Question) -> Iterator[str]:
    spec = question.spec
    kind = "HOMOGENEOUS" if spec.is_homogeneous else "HETEROGENEOUS"
    yield f"group\t{question.assignor}\t{kind}"
    for topic_id, count in spec.partition_counts.items():
        yield f"topic\t{uuid_text(topic_id)}\t{count}"
    for member_id, member in spec.members.items():
        topics = ",".join(map(uuid_text, member.topic_ids)) or "-"
        owned = _text(member.assignment)
        yield f"member\t{member_id}\t{member.instance_id or '-'}\t{topics}\t{owned}"
    yield "end"


def _text(assignment: Assignment) -> str:
    entries = (
        f"{uuid_text(topic_id)}:{','.join(map(str, partitions))}"
        for topic_id, partitions in assignment.items()
    )
    return ";".join(entries) or "-"


def _answers(output: str) -> Iterator[dict[str, Assignment]]:
    answer: dict[str, Assignment] = {}
    for line in output.splitlines():
        if line == "end":
            yield answer
            answer = {}
        else:
            member_id, text = line.split("\t")
            answer[member_id] = _assignment(text)


def _assignment(text: str) -> Assignment:
    entries = [] if text == "-" else text.split(";")
    return {parse_uuid(entry[:22]): tuple(map(int, entry[23:].split(","))) for entry in entries}
