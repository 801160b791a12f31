"""Settings from a file, flags and `--set`, and what is reported where one of them is wrong."""

import pytest

from moldau.broker.node.server_properties import read_properties
from moldau.config.refusals import SettingError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools.server_settings import parse_assignments, settings_from_file

FILE = b"""\
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://:9092,CONTROLLER://:9093
controller.quorum.voters=1@localhost:9093
log.dirs=data
num.partitions=many
"""


def settings_of(contents, *assigned):
    files = SimulatedFiles()
    files.open("f", create=True).append(contents)
    return settings_from_file(read_properties(files, "f"), parse_assignments(assigned))


def test_an_impossible_value_is_shown_with_its_file_and_line():
    with pytest.raises(SettingError, match=r"^f, line 7: Invalid value many for .*num\.partitions"):
        settings_of(FILE)


def test_what_is_set_on_the_command_line_is_no_fault_of_the_file():
    assert settings_of(FILE, "num.partitions=2").num_partitions == 2
    with pytest.raises(SettingError, match=r"^Invalid value few for"):
        settings_of(FILE, "num.partitions=few")


def test_what_is_missing_names_the_file_and_both_ways_of_giving_it():
    with pytest.raises(SettingError) as raised:
        settings_of(b"\nproces.roles=broker\n")
    assert str(raised.value) == (
        'f: Missing required configuration "process.roles" which has no default value; add a line '
        "process.roles=... to it, or pass --set process.roles=...; line 2 sets proces.roles, "
        "which is no setting (did you mean process.roles?)"
    )


def test_values_of_assignments_may_have_equals_signs():
    given = parse_assignments(["node.id=7", "sasl.jaas.config=a=b"])
    assert given == {"node.id": "7", "sasl.jaas.config": "a=b"}


@pytest.mark.parametrize("text", ["node.id", "=1", ""])
def test_an_assignment_without_a_name_or_a_value_is_refused(text):
    with pytest.raises(SettingError, match="--set takes key=value"):
        parse_assignments([text])
