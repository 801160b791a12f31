"""A node's settings come from a file, from the command line, and from defaults."""

import pytest

from moldau.config.refusals import SettingError
from moldau.errors import FileMissingError
from moldau.node.defaults import alone
from moldau.node.server_properties import (
    FILE_BYTES_MAX,
    node_settings,
    parse_assignments,
    read_properties,
    warnings,
)
from moldau.simulated.files import SimulatedFiles

KAFKAS_OWN = b"""# The file that Kafka ships, in short
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=localhost:9093
listeners=PLAINTEXT://:9092,CONTROLLER://:9093
inter.broker.listener.name=PLAINTEXT
advertised.listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
controller.listener.names=CONTROLLER
log.dirs=/var/lib/kafka
offsets.topic.replication.factor=1
zookeeper.connect=localhost:2181
"""


@pytest.fixture
def files():
    made = SimulatedFiles()
    made.open("server.properties", create=True).append(KAFKAS_OWN)
    return made


def test_kafkas_own_file_is_taken_as_it_is(files):
    settings = node_settings(read_properties(files, "server.properties"))
    assert settings.directories == ("/var/lib/kafka",)
    assert settings.offsets_topic_replication_factor == 1
    assert warnings(settings) == ["zookeeper.connect is no setting; it is ignored"]


def test_a_policy_that_cannot_be_loaded_is_no_secret():
    given = {"create.topic.policy.class.name": "example.Policy"}
    (said,) = warnings(node_settings(alone("data"), given))
    assert said.startswith("create.topic.policy.class.name names a class of Java, example.Policy")


def test_a_heartbeat_that_is_too_slow_is_unwise_and_no_more():
    (said,) = warnings(node_settings(alone("data"), {"broker.session.timeout.ms": "3999"}))
    assert "more than half of broker.session.timeout.ms" in said
    assert not warnings(node_settings(alone("data"), {"broker.session.timeout.ms": "4000"}))


def test_a_directory_in_the_place_of_a_file_is_named(files):
    files.make_directory("etc")
    with pytest.raises(FileMissingError, match="etc: it is a directory"):
        read_properties(files, "etc")


def test_the_command_line_wins(files):
    given = parse_assignments(["node.id=7", "sasl.jaas.config=a=b"])
    settings = node_settings(read_properties(files, "server.properties"), given)
    assert settings.node_id == 7
    assert settings.sasl_jaas_config == "a=b"


def test_the_old_name_of_the_node_is_understood(files):
    given = read_properties(files, "server.properties")
    del given["node.id"]
    assert node_settings(given, {"broker.id": "3"}).node_id == 3
    assert node_settings(given, {"node.id": "4"}).broker_id == 4


@pytest.mark.parametrize("text", ["node.id", "=1", ""])
def test_an_assignment_without_a_name_or_a_value_is_refused(text):
    with pytest.raises(SettingError, match="--set takes key=value"):
        parse_assignments([text])


def test_a_missing_file_is_named(files):
    with pytest.raises(FileMissingError, match=r"other\.properties: there is no such file"):
        read_properties(files, "other.properties")


def test_a_file_of_something_else_is_not_read(files):
    files.open("core", create=True).truncate(FILE_BYTES_MAX + 1)
    with pytest.raises(SettingError, match="too many for a file of settings"):
        read_properties(files, "core")
