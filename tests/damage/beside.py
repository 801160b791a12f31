"""The same damage to a node of ours and to one of Apache Kafka: what each serves afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.damage.directories import TOPIC, damaged_directory
from tests.damage.kinds import KINDS
from tests.damage.probe import Outcome, outcome_of
from tests.judges.kafka_node import KafkaNode, NodeFailedError
from tests.judges.moldau_node import MoldauNode

RECORDED = Path(__file__).parent.parent / "vectors" / "damage" / "apache-kafka-4.3.1.json"
THROWN = re.compile(r"^[\w.]*?(\w+(?:Exception|Error)):", re.MULTILINE)

Outcomes = dict[str, Outcome | str]
"""By kind; a text where the whole node does not start, saying why."""


def outcomes_of_moldau(folder: Path, names: Sequence[str], *, clean: bool) -> Outcomes:
    node = MoldauNode(_made(folder, "node"), data=_data(folder, names, clean=clean))
    node.start()
    try:
        return _asked(node.client_port, names)
    finally:
        node.kill()


def outcomes_of_kafka(
    libs: Path, folder: Path, stopping: Collection[str], *, clean: bool
) -> Outcomes:
    """All kinds; those that stop a node get one of their own."""
    others = [name for name in KINDS if name not in stopping]
    found = _of_kafka(libs, _made(folder, "all"), others, clean=clean)
    for number, name in enumerate(stopping):
        found |= _of_kafka(libs, _made(folder, f"one-{number}"), [name], clean=clean)
    return found


def _of_kafka(libs: Path, folder: Path, names: Sequence[str], *, clean: bool) -> Outcomes:
    data = _data(folder, names, clean=clean)
    node = KafkaNode(libs, _made(folder, "node"), settings={}, data=data)
    try:
        node.start()
        return _asked(node.client_port, names)
    except NodeFailedError:
        text = (node.folder / "node.log").read_text()
        thrown = THROWN.search(text)
        return dict.fromkeys(names, thrown[1] if thrown else text)
    finally:
        node.kill()


def _asked(port: int, names: Sequence[str]) -> Outcomes:
    return {name: outcome_of(port, TOPIC, number) for number, name in enumerate(names)}


def _data(folder: Path, names: Sequence[str], *, clean: bool) -> Path:
    return damaged_directory(_made(folder, "writer"), names, clean=clean)


def _made(folder: Path, name: str) -> Path:
    path = folder / name
    path.mkdir()
    return path


def record(outcomes: dict[str, Outcomes]) -> None:
    """Write down what Kafka did, for the tests that do without it."""
    modes = []
    for mode, found in outcomes.items():
        lines = [f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in found.items()]
        modes.append(f'"{mode}": {{\n' + ",\n".join(lines) + "\n }")
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("{" + ",\n ".join(modes) + "}\n")


def recorded(mode: str) -> Outcomes:
    """What Kafka did when it was asked last; the long check asks it again."""
    found = json.loads(RECORDED.read_text())[mode]
    return {
        name: one if isinstance(one, str) else Outcome._make([*one[:-1], tuple(one[-1])])
        for name, one in found.items()
    }
