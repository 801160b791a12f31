"""A node's settings come from a file, from the command line, and from defaults."""

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.server_properties import (
    FILE_BYTES_MAX,
    node_settings,
    read_properties,
    suggestion,
    warnings,
)
from moldau.config.refusals import SettingError
from moldau.errors import FileMissingError
from moldau.platform.simulated.files import SimulatedFiles

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
    settings = node_settings(read_properties(files, "server.properties").values)
    assert settings.directories == ("/var/lib/kafka",)
    assert settings.offsets_topic_replication_factor == 1
    assert warnings(settings) == ["zookeeper.connect is no setting; it is ignored"]


def test_a_policy_that_cannot_be_loaded_is_no_secret():
    given = {"create.topic.policy.class.name": "example.Policy"}
    (warning,) = warnings(node_settings(alone("data"), given))
    assert warning.startswith(
        "create.topic.policy.class.name names a class of Java, example.Policy"
    )


def test_a_heartbeat_that_is_too_slow_is_unwise_and_no_more():
    (warning,) = warnings(node_settings(alone("data"), {"broker.session.timeout.ms": "3999"}))
    assert "more than half of broker.session.timeout.ms" in warning
    assert not warnings(node_settings(alone("data"), {"broker.session.timeout.ms": "4000"}))


def test_settings_without_effect_are_named_once_where_they_are_changed():
    def warned(**given):
        named = {name.replace("_", "."): value for name, value in given.items()}
        return warnings(node_settings(alone("data"), named))

    assert warned(num_io_threads="8", num_network_threads="3") == []
    (one,) = warned(num_io_threads="16", queued_max_requests="500")
    assert one.startswith("num.io.threads has no effect here, because one loop does the work")
    (two,) = warned(num_io_threads="16", config_providers="env", queued_max_requests="7")
    assert two.endswith("; nor have config.providers, queued.max.requests, see "
                        "docs/generated/settings.md")  # fmt: skip


def test_a_directory_in_the_place_of_a_file_is_named(files):
    files.make_directory("etc")
    with pytest.raises(FileMissingError, match="etc: it is a directory"):
        read_properties(files, "etc")


def test_the_command_line_wins(files):
    given = {"node.id": "7", "sasl.jaas.config": "a=b"}
    settings = node_settings(read_properties(files, "server.properties").values, given)
    assert settings.node_id == 7
    assert settings.sasl_jaas_config == "a=b"


def test_the_old_name_of_the_node_is_understood(files):
    given = dict(read_properties(files, "server.properties").values)
    del given["node.id"]
    assert node_settings(given, {"broker.id": "3"}).node_id == 3
    assert node_settings(given, {"node.id": "4"}).broker_id == 4


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (b"a=1\n\x00\x01", r"f, line 2: byte 0x00 is not text"),
        (b"# \x7f\n", r"f, line 1: byte 0x7f is not text"),
        (b"a=1\r\nb=\\u12x\n", r"f, line 2: \\u is followed by four hexadecimal digits"),
    ],
)
def test_a_file_that_is_no_text_is_refused_with_its_first_wrong_line(files, contents, sentence):
    files.open("f", create=True).append(contents)
    with pytest.raises(SettingError, match=sentence):
        read_properties(files, "f")


@pytest.mark.parametrize("contents", [b"a=\xe9\t\f1", b"a=\\u00e9", b"a=\\\\u1", b"#\\u\na=1"])
def test_whatever_may_be_in_properties_is_read(files, contents):
    files.open("f", create=True).append(contents)
    assert list(read_properties(files, "f").values) == ["a"]


def test_a_name_that_no_setting_has_is_shown_with_its_line_and_the_nearest_one(files):
    file = read_properties(files, "server.properties")
    assert warnings(node_settings(file.values), file) == [
        "server.properties, line 11: zookeeper.connect is no setting; it is ignored"
    ]
    assert file.first_unknown == "line 11 sets zookeeper.connect, which is no setting"
    files.open("own", create=True).append(b"moldau.audit.file=f\nx=1\n")
    assert read_properties(files, "own").first_unknown.startswith("line 2 sets x,")
    (warning,) = warnings(node_settings(alone("data"), {"num.partition": "3"}), file)
    assert warning.endswith("num.partition is no setting; it is ignored "
                            "(did you mean num.partitions?)")  # fmt: skip


def test_a_suggestion_is_made_where_one_is_near():
    assert suggestion("log.retention.hour") == " (did you mean log.retention.hours?)"
    assert suggestion("garbage") == ""


def test_a_missing_file_is_named(files):
    with pytest.raises(
        FileMissingError, match=r"other\.properties: there is no such file of settings"
    ):
        read_properties(files, "other.properties")


def test_a_file_of_something_else_is_not_read(files):
    files.open("core", create=True).truncate(FILE_BYTES_MAX + 1)
    with pytest.raises(SettingError, match="too many for a file of settings"):
        read_properties(files, "core")
