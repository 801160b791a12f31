"""What the flags of `moldau start` come to."""

from argparse import ArgumentParser, ArgumentTypeError

import pytest

from moldau.errors import MoldauError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools import start
from moldau.programs.tools.start_settings import (
    address,
    chosen_settings,
    development_line,
    metrics_address,
    warnings_of,
)

FILE = b"""\
process.roles=broker,controller
node.id=7
controller.listener.names=CONTROLLER
listeners=CONTROLLER://127.0.0.1:9093,PLAINTEXT://127.0.0.1:9092,INSIDE://127.0.0.1:9094
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,INSIDE:PLAINTEXT
controller.quorum.voters=7@127.0.0.1:9093
log.dirs=from-the-file
"""
CONFIG = ("--config", "etc/server.properties")


def options_of(*arguments):
    parser = ArgumentParser()
    start.declare(parser)
    return parser.parse_args(arguments)


def settings_of(*arguments):
    files = SimulatedFiles()
    files.make_directory("etc")
    files.open("etc/server.properties", create=True).append(FILE)
    return chosen_settings(options_of(*arguments), files)[0]


def listeners_of(*arguments):
    return [str(one) for one in settings_of(*arguments).listener_list]


def advertised_of(*arguments):
    return [str(one) for one in settings_of(*arguments).advertised]


def test_without_arguments_it_is_a_node_alone_on_the_port_of_kafka():
    settings = settings_of()
    assert settings.directories == ("./moldau-data",)
    assert [listener.port for listener in settings.broker_listeners] == [9092]


def test_without_a_file_the_first_warning_says_what_development_means():
    settings = settings_of("--set", "offsets.topic.replication.factor=3")
    line = development_line(settings)
    assert line.startswith(
        "Development mode, as there is no --config: one node at PLAINTEXT://127.0.0.1:9092, its "
        "data in ./moldau-data, and other defaults than Kafka's: "
        "group.initial.rebalance.delay.ms=0 (Kafka: 3000), transaction.state."
    )
    assert "offsets.topic.replication.factor" not in line
    assert warnings_of(settings, None) == [line]


def test_flags_change_single_things():
    settings = settings_of("--data", "d", "--port", "1", "--set", "num.partitions=4")
    assert settings.directories == ("d",)
    assert settings.broker_listeners[0].port == 1
    assert settings.num_partitions == 4


def test_a_file_is_taken_as_it_is_and_flags_win():
    plain = settings_of(*CONFIG)
    assert (plain.node_id, plain.directories) == (7, ("from-the-file",))
    assert settings_of(*CONFIG, "--data", "d").directories == ("d",)


def test_a_port_moves_the_listener_that_clients_come_through():
    assert listeners_of(*CONFIG, "--port", "19092") == [
        "CONTROLLER://127.0.0.1:9093",
        "PLAINTEXT://127.0.0.1:19092",
        "INSIDE://127.0.0.1:9094",
    ]


def test_an_address_to_listen_on_leaves_the_controller_on_loopback():
    listeners = ["PLAINTEXT://0.0.0.0:9000", "CONTROLLER://127.0.0.1:0"]
    assert listeners_of("--listen", "0.0.0.0:9000") == listeners
    assert listeners_of("--listen", "[::1]:0")[0] == "PLAINTEXT://[::1]:0"
    assert listeners_of(*CONFIG, "--listen", ":1")[1] == "PLAINTEXT://:1"


def test_an_address_is_advertised_beside_those_of_other_listeners():
    assert advertised_of("--advertise", "here:1") == ["PLAINTEXT://here:1"]
    assert advertised_of(*CONFIG, "--advertise", "here:1") == [
        "PLAINTEXT://here:1",
        "INSIDE://127.0.0.1:9094",
    ]


def test_a_file_without_a_listener_for_clients_is_refused_whatever_the_flags():
    with pytest.raises(MoldauError, match="at least one broker listener"):
        settings_of(*CONFIG, "--port", "1", "--set", "listeners=CONTROLLER://:9093")


@pytest.mark.parametrize("text", ["here", "::1:9092", "http://here:1", "a:1,b:2", "here:x", "9092"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ArgumentTypeError):
        address(text)


def test_metrics_are_on_loopback_unless_an_address_is_given():
    assert metrics_address(options_of()) is None
    assert metrics_address(options_of("--metrics-port", "9404")) == ("127.0.0.1", 9404)
    other = options_of("--metrics-port", "9404", "--metrics-host", "0.0.0.0")
    assert metrics_address(other) == ("0.0.0.0", 9404)


def test_a_directory_without_a_name_is_not_the_one_of_no_flag():
    with pytest.raises(MoldauError, match="--data is empty"):
        settings_of("--data", "")


def test_an_impossible_value_is_one_sentence():
    with pytest.raises(MoldauError, match=r"num\.partitions"):
        settings_of("--set", "num.partitions=many")


def test_a_flag_refuses_loss():
    assert settings_of("--refuse-loss").own.moldau_refuse_loss
    assert not settings_of().own.moldau_refuse_loss


def test_https_without_a_program_that_serves_it_is_refused():
    with pytest.raises(MoldauError, match="--https-config is for --registry, --rest and --ui"):
        settings_of("--https-config", "server.properties")
    assert settings_of("--https-config", "server.properties", "--rest") is not None
