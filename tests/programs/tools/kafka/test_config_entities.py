"""What settings are of, and which they are."""

import pytest

from moldau.client.errors import RefusedError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools.kafka.config_entities import FLAGS, Entity, entities_of, wanted_of
from moldau.programs.tools.kafka.flags import parse
from moldau.programs.tools.kafka.tool import ToolFailedError


def entities(words):
    return entities_of(parse(FLAGS, words.split()))


def wanted(*words):
    return wanted_of(parse(FLAGS, words), SimulatedFiles())


def test_names_and_defaults_belong_to_types_in_their_order():
    assert entities(
        "--entity-type users --entity-default --entity-type clients --entity-name a"
    ) == [
        Entity("users", ""),
        Entity("clients", "a"),
    ]
    assert entities("--entity-type topics") == [Entity("topics", None)]
    assert entities("--user-defaults --client a") == [Entity("clients", "a"), Entity("users", "")]


def test_values_in_brackets_may_have_commas():
    found = wanted("--add-config", "cleanup.policy=[compact,delete],a = b,c=[d=e]")
    assert found == {"cleanup.policy": "compact,delete", "a": "b", "c": "d=e"}
    with pytest.raises(ToolFailedError, match="Invalid entity config"):
        wanted("--add-config", "c=d=e")


def test_a_setting_is_not_set_and_given_up_at_once():
    with pytest.raises(RefusedError, match="duplicate config keys"):
        wanted("--delete-config", "a", "--add-config", "a=1")


def test_settings_are_given_up():
    assert wanted("--delete-config", "a, b", "--add-config", "c=") == {
        "c": "",
        "a": None,
        "b": None,
    }


def test_a_setting_without_a_value_is_refused():
    with pytest.raises(ToolFailedError, match="Invalid entity config"):
        wanted("--add-config", "frob")
