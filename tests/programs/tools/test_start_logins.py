"""The file of logins that KAFKA_OPTS names."""

from io import StringIO

import pytest

from moldau.config.broker.settings import BrokerSettings
from moldau.errors import MoldauError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from moldau.programs.tools.start_logins import with_logins

NAME = "listener.name.sasl_plaintext.plain.sasl.jaas.config"
MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"
LOGINS = f'KafkaServer {{ {MODULE} required user_alice="secret"; }};\n'.encode()
PROPERTY = "-Djava.security.auth.login.config"


def settings_with(java_options, contents=LOGINS):
    files = SimulatedFiles()
    files.make_directory("/etc")
    files.open("/etc/logins of nodes", create=True).append(contents)
    settings = BrokerSettings.of(
        {
            "node.id": "1",
            "process.roles": "broker",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
            "listeners": "SASL_PLAINTEXT://:9092",
            "sasl.enabled.mechanisms": "PLAIN",
        }
    )
    return with_logins(settings, java_options, files)


@pytest.mark.parametrize(
    "given",
    [
        f'-Xmx1g "{PROPERTY}=/etc/logins of nodes"',
        f"{PROPERTY}=/no-such-file '{PROPERTY}=/etc/logins of nodes'",
        f"{PROPERTY}=='/etc/logins of nodes'",
        f"{PROPERTY}='file:/etc/logins of nodes'",
    ],
)
def test_the_logins_of_the_file_are_those_of_the_listener(given):
    assert settings_with(given).all_given[NAME] == f'{MODULE} required user_alice="secret";'


def test_other_options_for_java_change_nothing():
    assert NAME not in settings_with("-Xmx1g -Dother=/etc/logins").all_given


@pytest.mark.parametrize(
    ("given", "contents", "clause"),
    [
        (f"{PROPERTY}=/no-such-file", LOGINS, "/no-such-file"),
        (f"'{PROPERTY}=/etc/logins of nodes'", b"KafkaServer {", "/etc/logins of nodes: Kafka"),
        (f"'{PROPERTY}=/etc/logins of nodes'", b"abc\xff", "byte 4 is not UTF-8"),
        (f"'{PROPERTY}=/etc/logins of nodes'", b" " * ((1 << 20) + 1), "too many"),
        (f"'{PROPERTY}=/etc", LOGINS, "KAFKA_OPTS"),
    ],
)
def test_a_file_that_cannot_be_had_is_named(given, contents, clause):
    with pytest.raises(MoldauError, match=clause):
        settings_with(given, contents)


def test_a_node_looks_for_its_logins_when_it_starts(monkeypatch):
    monkeypatch.setenv("KAFKA_OPTS", f"{PROPERTY}=/no-such-file")
    out = StringIO()
    world = World(
        files=SimulatedFiles(), clock=SimulatedClock(), random=SeededRandom(1), out=out, errors=out
    )
    assert run_command(["start", "--data", "here"], world) == 1
    assert "/no-such-file" in out.getvalue()
