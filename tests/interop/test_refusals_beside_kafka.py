"""Whole requests refused by Kafka's own classes and by us: the same response, field by field.

Left out are texts, which are our own; elements named twice, which Kafka answers once; and the order
of users, which Kafka draws from a set.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.broker.server.refusing import refusal
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.index import APIS, Api
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message, Struct
from tests.judges.java_programs import run_java
from tests.protocol.messages.random_messages import Pair, random_message
from tests.tidy.source import assert_none

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

APIS_JUDGED_MIN = 80
"""Kafka's classes refuse some random requests before they can be asked; not many."""
ROUNDS = 3
REGROUPED = {"Produce", "WriteTxnMarkers"}
"""Kafka puts these together from maps: what has no partitions, or is named again, is left out."""
Row = tuple[Api, int, Message]


def rows(seed: int) -> list[Row]:
    return [
        (api, version, random_message(SeededRandom(seed + number), Pair(api.request, version)))
        for api in APIS
        if api.module != "cluster.removed"
        for version in api.request.VERSIONS.each()
        if version not in api.request.UNSTABLE
        for number in range(ROUNDS)
    ]


def shown(answer: Struct) -> str:
    """All that is to be the same."""
    parts = []
    for name in answer.DECLARED:
        value = getattr(answer, name)
        if name == "error_message":
            continue
        if isinstance(value, list):
            value = sorted({shown(one) if isinstance(one, Struct) else repr(one) for one in value})
        if isinstance(value, memoryview):
            value = bytes(value)
        parts.append(f"{name}={value}")
    return " ".join(parts)


def leaves(answer: Struct) -> set[str]:
    """The innermost elements, wherever they stand."""
    inner = [one for name in answer.DECLARED for one in listed(answer, name)]
    return {shown(answer)} if not inner and hasattr(answer, "error_code") else gathered(inner)


def listed(answer: Struct, name: str) -> list[Struct]:
    value = getattr(answer, name)
    return [one for one in value if isinstance(one, Struct)] if isinstance(value, list) else []


def gathered(inner: list[Struct]) -> set[str]:
    return {leaf for one in inner for leaf in leaves(one)}


def leaves_of(api: Api, version: int, body: bytes) -> set[str]:
    response = decode(api.response, version, body)
    return leaves(response) if api.name in REGROUPED else {shown(response)}


def differences(judged: list[tuple[Row, str]]):
    for (api, version, request), answer in judged:
        theirs = leaves_of(api, version, bytes.fromhex(answer))
        received = decode(api.request, version, encode(request, version))
        refused = refusal(received, version, ErrorCode.NOT_CONTROLLER, "not so")
        ours = leaves_of(api, version, encode(refused, version))
        if not (theirs <= ours if api.name in REGROUPED else theirs == ours):
            yield f"{api.name} v{version}:\n  Kafka {str(theirs)[:400]}\n  ours  {str(ours)[:400]}"


def test_refusals_are_kafkas_in_every_api_and_version(kafka_libs: Path, tmp_path: Path, seed: int):
    asked = rows(seed)
    path = tmp_path / "requests"
    lines = (
        f"{api.key} {version} {int(ErrorCode.NOT_CONTROLLER)} {encode(request, version).hex()}\n"
        for api, version, request in asked
    )
    path.write_text("".join(lines))
    program = run_java(kafka_libs, "RefuseRequests", path)
    assert program.returncode == 0, program.stderr
    answers = zip(asked, program.stdout.splitlines(), strict=True)
    judged = [(row, answer) for row, answer in answers if answer[0] not in "-!"]
    assert len({row[0].key for row, _ in judged}) >= APIS_JUDGED_MIN
    assert_none(differences(judged))
