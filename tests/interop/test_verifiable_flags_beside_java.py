"""Every flag of our verifiable clients beside Kafka's: exit codes, messages, and what events have.

Unlike `test_verifiable_tools_beside_java` values are compared, too, where they hang on no clock: a
call is given to both, each with a group of its own (`%`), and their lines are held side by side.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.interop.tool_calls import OURS, THEIRS
from tests.judges.kafka_tools import KafkaTools, placed

pytestmark = [pytest.mark.judge, pytest.mark.long]

TIMEOUT_S = 90
TIMED = {"timestamp", "avg_throughput", "target_throughput"}
"""Fields that hang on the clock; the last of them is a rounded number of another kind in Java."""
NOISE = re.compile(r"\[\d{4}-.*|\s+at .*|.*Did you mean.*|.*shows all flags\.|.*it is ignored|")
USAGE = re.compile(r"usage: .*?(?=^[\w-]+:\s+error:)", re.DOTALL | re.MULTILINE)
FILES = {
    "named.properties": "client.id=named\nacks=1\n",
    "wrong.properties": "acks=frob\nsession.timeout.ms=frob\n",
}
PRODUCER = """
--topic one% --max-messages 0
--topic one% --max-messages 2
--topic one% --max-messages 2 --acks 0
--topic one% --max-messages 2 --acks 1
--topic one% --max-messages 1 --acks 2
--topic one% --max-messages 1 --acks all
--topic one% --max-messages 2 --throughput 100
--topic one% --max-messages 2 --value-prefix 3
--topic one% --max-messages 1 --value-prefix x
--topic one% --max-messages 5 --repeating-keys 2
--topic one% --max-messages 2 --repeating-keys 0
--topic one% --max-messages 2 --message-create-time 1000
--topic one% --max-messages 1 --message-create-time x
--topic one% --max-messages x
--topic one% --max-messages 1 --command-config @named.properties
--topic one% --max-messages 1 --producer.config @named.properties
--topic one% --max-messages 1 --producer.config @named.properties --command-config @named.properties
--topic one% --max-messages 1 --command-config @wrong.properties
--topic one% --max-messages 1 --command-config /no-such
--topic bad/name --max-messages 1
--max-messages 1
--topic one% --frob
--topic one% --max-messages 1 extra
"""
CONSUMER = """
--topic two --group-id g% --max-messages 2
--topic two --group-id h% --max-messages 2 --verbose
--topic two --group-id i% --max-messages 2 --enable-autocommit
--topic two --group-id j% --max-messages 2 --group-protocol consumer
--topic two --group-id k% --max-messages 2 --group-protocol consumer --group-remote-assignor range
--topic two --group-id l% --max-messages 2 --group-protocol CONSUMER
--topic two --group-id m% --max-messages 2 --group-protocol frob
--topic two --group-id n% --max-messages 2 --group-instance-id here
--topic two --group-id o% --max-messages 2 --session-timeout 20000
--topic two --group-id p% --max-messages 2 --session-timeout x
--topic two --group-id q% --max-messages 2 --reset-policy earliest
--topic two --group-id r% --max-messages 2 --reset-policy frob
--topic two --group-id s% --max-messages 2 --assignment-strategy \
org.apache.kafka.clients.consumer.RoundRobinAssignor
--topic two --group-id t% --max-messages 2 --assignment-strategy no.such.Assignor
--topic two --group-id u% --max-messages 2 --command-config @named.properties
--topic two --group-id v% --max-messages 2 --consumer.config @named.properties
--topic two --group-id v% --consumer.config @named.properties --command-config @named.properties
--topic two --group-id w% --max-messages 2 --command-config @wrong.properties
--topic two --group-id w% --max-messages 0
--topic two
--group-id x%
--topic two --group-id x% --frob
"""
SHARING = """
--topic two --group-id sg% --max-messages 2 --offset-reset-strategy earliest
--topic two --group-id sh% --max-messages 2 --offset-reset-strategy earliest --verbose
--topic two --group-id si% --max-messages 2 --offset-reset-strategy earliest \
--acknowledgement-mode auto
--topic two --group-id sj% --max-messages 2 --offset-reset-strategy earliest \
--acknowledgement-mode sync
--topic two --group-id sk% --max-messages 2 --offset-reset-strategy earliest \
--acknowledgement-mode async
--topic two --group-id sl% --max-messages 2 --acknowledgement-mode frob
--topic two --group-id sm% --max-messages 2 --offset-reset-strategy frob
--topic two --group-id sn% --max-messages x
--topic two --group-id so% --max-messages 0
--topic two
--group-id sp%
--topic two --group-id sp% --frob
"""


SENTENCE = "ours says in a sentence what Java's has in a trace"
ALLOWED = {
    "--topic one% --max-messages 1 --command-config @wrong.properties": SENTENCE,
    "--topic one% --max-messages 1 --command-config /no-such": "ours says what is not there",
    "--topic two --group-id m% --max-messages 2 --group-protocol frob": SENTENCE,
    "--topic two --group-id r% --max-messages 2 --reset-policy frob": SENTENCE,
    "--topic two --group-id t% --max-messages 2 --assignment-strategy no.such.Assignor": SENTENCE,
    "--topic two --group-id sl% --max-messages 2 --acknowledgement-mode frob": SENTENCE,
    "--topic two --group-id sm% --max-messages 2 --offset-reset-strategy frob": (
        "ours refuses it before it begins, and with 1"
    ),
    "--topic two --group-id w% --max-messages 2 --command-config @wrong.properties": (
        "in Java's the file's session timeout wins over the default of the flag"
    ),
}


def calls(tool: str, lines: str) -> list[Any]:
    return [pytest.param(tool, line, id=f"{tool} {line}") for line in lines.strip().splitlines()]


@pytest.fixture(scope="module")
def filled(tools: KafkaTools) -> None:
    for name in (THEIRS, OURS):
        tools.run("topics", f"--create --topic one{name} --partitions 1")
    tools.run("topics", "--create --topic two --partitions 1")
    tools.run("console-producer", "--topic two", typed="one\ntwo\n")


def answer(command: list[str]) -> tuple[int, list[object]]:
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return seen(done.returncode, done.stdout)


def in_order(event: dict[str, Any]) -> dict[str, Any]:
    """Java's has offsets that are acknowledged as a set has them."""
    if event["name"] == "offsets_acknowledged":
        for part in event["partitions"]:
            part["offsets"].sort()
    return event


def seen(code: int, printed: str) -> tuple[int, list[object]]:
    lines: list[object] = []
    usage = USAGE.search(printed)
    if usage is not None:
        message = " ".join(printed[usage.end() :].split())
        return code, [message.partition(" Did you mean")[0]]
    for line in printed.splitlines():
        if line.startswith("{"):
            fields = in_order(json.loads(re.sub(f"{THEIRS}|{OURS}", "%", line))).items()
            lines.append([(key, "" if key in TIMED else value) for key, value in fields])
        elif not NOISE.fullmatch(line):
            lines.append(re.sub(f"{THEIRS}|{OURS}", "%", line))
    return code, lines


@pytest.mark.parametrize(
    ("tool", "line"),
    [
        *calls("verifiable-producer", PRODUCER),
        *calls("verifiable-consumer", CONSUMER),
        *calls("verifiable-share-consumer", SHARING),
    ],
)
def test_a_call_has_the_same_events_and_exit(tools, filled, tmp_path, tool, line):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    words = line.replace("@", f"{tmp_path}/")
    moldau = [sys.executable, "-m", "moldau", tool]
    java = answer(tools.alone(tool, words.replace("%", THEIRS)))
    found = answer([*moldau, *placed(tool, words.replace("%", OURS), tools.bootstrap)])
    assert found == java or line in ALLOWED, f"{line}\nKafka's: {java}\nours: {found}"
