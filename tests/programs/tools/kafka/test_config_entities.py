"""What settings are of, and which they are."""

import shlex

import pytest

from moldau.client.errors import RefusedError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools.kafka.config_entities import (
    FLAGS,
    Entity,
    check,
    entities_of,
    wanted_of,
)
from moldau.programs.tools.kafka.flags import parse
from moldau.programs.tools.kafka.tool import ToolFailedError


def entities(words):
    return entities_of(parse(FLAGS, words.split()))


def wanted(*words):
    change = wanted_of(parse(FLAGS, words), SimulatedFiles())
    change.refuse_twice()
    return change.values


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
    assert wanted("--delete-config", "a", "--delete-config", "b,,") == {"a": None, "b": None}


def test_commas_at_the_end_of_settings_say_nothing():
    assert wanted("--add-config", "a=1,,") == {"a": "1"}
    assert wanted("--add-config", ",") == {}
    for text in ("", "a=1,,b=2"):
        with pytest.raises(ToolFailedError, match="Invalid entity config"):
            wanted("--add-config", text)


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("--describe --broker 2147483648", "must be a valid integer broker id"),
        ("--describe --broker-logger ''", "must be specified with --describe of broker-loggers"),
        ("--describe --ip 10.0.0.1.2", "must be a valid IP or resolvable host"),
        ("--alter --topic '' --add-config a=b", "must be specified with --alter of topics"),
        (
            "--alter --entity-type topics --entity-name a --entity-default --add-config a=b",
            "must be specified for every entity type",
        ),
        (
            "--alter --entity-type users --entity-type clients --entity-name a --add-config a=b",
            "must be specified for every entity type",
        ),
    ],
)
def test_names_that_do_not_fit_are_refused_in_kafkas_words(words, refusal):
    given = parse(FLAGS, ["--bootstrap-server", "localhost:1", *shlex.split(words)])
    with pytest.raises(ToolFailedError, match=refusal):
        check(given)


@pytest.mark.parametrize("words", ["--describe --broker -1", "--describe --ip localhost"])
def test_names_that_java_takes_are_taken(words):
    given = parse(FLAGS, ["--bootstrap-server", "localhost:1", *words.split()])
    assert check(given)


def test_a_setting_without_a_value_is_refused():
    with pytest.raises(ToolFailedError, match="Invalid entity config"):
        wanted("--add-config", "frob")
