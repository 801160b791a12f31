"""A key reads texts as Kafka reads them, and refuses in its words."""

import pytest

from moldau.config.key import Rank, Scope, flag, integer, long, maybe_text, names, secret, text
from moldau.config.refusals import InvalidSettingError
from moldau.config.settings import Settings


class Keys(Settings):
    num_partitions = integer(1, "So many.", least=1)
    gzip_level = integer(-1, "How hard.", least=1, most=9, or_value=-1)
    retention_ms = long(5, "How long.", scope=Scope.CLUSTER, rank=Rank.HIGH)
    cleanup_policy = names(("delete",), "What then.", choices=("compact", "delete"))
    policy = text("UPGRADE", "Which.", choices=("UPGRADE", "DISABLED"), any_case=True)
    enabled = flag(True, "Whether.")
    rack = maybe_text("Where.")
    throttled = names((), "Which.", of_replicas=True)
    password = secret("What opens it.")


def test_the_name_is_the_attribute_with_dots():
    assert Keys.num_partitions.name == "num.partitions"
    assert list(Keys.KEYS) == sorted(Keys.KEYS)


def test_an_instance_has_values_and_the_class_has_keys():
    settings = Keys({"num.partitions": " 3 ", "cleanup.policy": "compact, delete"})
    assert settings.num_partitions == 3
    assert settings.cleanup_policy == ("compact", "delete")
    assert settings.enabled is True
    assert settings.rack is None
    assert Keys.retention_ms.rank is Rank.HIGH


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("num.partitions", "0", "Value must be at least 1"),
        ("num.partitions", "many", "Not a number of type INT"),
        ("num.partitions", "2147483648", "Not a number of type INT"),
        ("num.partitions", "", "Not a number of type INT"),
        ("gzip.level", "10", "Value must be no more than 9"),
        ("gzip.level", "0", "Value must be at least 1"),
        ("cleanup.policy", "delete,burn", "String must be one of: compact, delete"),
        ("policy", "sometimes", "String must be one of: UPGRADE, DISABLED"),
        ("enabled", "yes", "Expected value to be either true or false"),
    ],
)
def test_an_impossible_value_is_refused_in_kafkas_words(name, value, reason):
    with pytest.raises(InvalidSettingError) as refused:
        Keys({name: value})
    assert str(refused.value) == f"Invalid value {value} for configuration {name}: {reason}"


def test_a_value_outside_of_the_bounds_may_have_a_meaning_of_its_own():
    assert Keys({"gzip.level": "-1"}).gzip_level == -1
    assert Keys({"policy": "disabled"}).policy == "disabled"


@pytest.mark.parametrize("value", ["", "*", "0:1", "0:1,12:3", "0:1,", " 0:1 , 1:2 "])
def test_replicas_are_named_as_partition_and_broker_or_all(value):
    assert Keys({"throttled": value}).throttled == Keys.throttled.parse(value)


@pytest.mark.parametrize("value", ["x", "0", "0:1:2", "*,0:1", "-1:1", "0:1x", "0:"])
def test_what_names_no_replicas_is_refused(value):
    with pytest.raises(InvalidSettingError, match="a list of replicas"):
        Keys({"throttled": value})


def test_a_secret_is_shown_nowhere():
    settings = Keys({"password": "hunter2"})
    assert settings.password == "hunter2"
    assert "hunter2" not in repr(settings)
