"""What formatting is to write is judged before anything is written."""

import pytest

from moldau.broker.node.format_error import FormatError
from moldau.broker.node.format_plan import (
    FormatOptions,
    Quorum,
    feature_levels,
    parse_voter,
    plan_format,
)
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.platform.simulated.randomness import SeededRandom

GIVEN = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "C",
    "listeners": "PLAINTEXT://:9092,C://:9093",
}
STATIC = {**GIVEN, "controller.quorum.voters": "1@localhost:9093"}
BROKER = {
    "process.roles": "broker",
    "node.id": "2",
    "controller.listener.names": "C",
    "listeners": "PLAINTEXT://:9092",
}
DIRECTORY = "JEXY6aqzQY-32P5TStzaFg"


def plan(given, **options):
    asked = FormatOptions(**{"cluster_id": "c", **options})
    return plan_format(BrokerSettings.of(given), asked, SeededRandom(1))


def test_a_new_cluster_gets_the_features_of_its_release():
    assert feature_levels(None, []) == {
        "metadata.version": 30,
        "eligible.leader.replicas.version": 1,
        "group.version": 1,
        "share.version": 1,
        "streams.version": 1,
        "transaction.version": 2,
    }
    assert feature_levels("3.9", []) == {"metadata.version": 21}
    assert feature_levels("4.0-IV3", ["share.version=1"])["share.version"] == 1


def test_metadata_version_is_the_first_record_and_kraft_version_is_none():
    records = plan(GIVEN, standalone=True).records
    names = [record.name for record in records]
    assert names[0] == "metadata.version"
    assert names[1:] == sorted(names[1:])
    assert "kraft.version" not in names


@pytest.mark.parametrize(
    ("given", "options", "complaint"),
    [
        (GIVEN, {}, "you must specify one of the following"),
        (GIVEN, {"cluster_id": "", "standalone": True}, "--cluster-id is empty"),
        (GIVEN, {"standalone": True, "no_initial_controllers": True}, "only one of"),
        (GIVEN, {"standalone": True, "features": ["nonsense=1"]}, "Unsupported feature: nonsense"),
        (GIVEN, {"standalone": True, "features": ["group.version=9"]}, "with feature level 9"),
        (GIVEN, {"standalone": True, "features": ["metadata.version=99"]}, "feature level 99"),
        (GIVEN, {"standalone": True, "features": ["group.version"]}, "takes name=level"),
        (
            GIVEN,
            {"standalone": True, "features": ["kraft.version=0"]},
            "Cannot set kraft.version to 0",
        ),
        (GIVEN, {"standalone": True, "release": "4.9"}, "Unknown metadata.version '4.9'"),
        (
            GIVEN,
            {"standalone": True, "release": "4.3", "features": ["metadata.version=30"]},
            "give one",
        ),
        (
            GIVEN,
            {
                "standalone": True,
                "release": "3.9",
                "features": ["eligible.leader.replicas.version=1"],
            },
            "needs metadata.version 23",
        ),
        (
            GIVEN,
            {"standalone": True, "release": "3.4", "scram": ["SCRAM-SHA-256=[name=a,password=b]"]},
            "only supported in metadata.version",
        ),
        (
            GIVEN,
            {"standalone": True, "scram": ["SCRAM-SHA-256=[name=a,password=b]"] * 2},
            "two credentials",
        ),
        (GIVEN, {"initial_controllers": f"2@host:1:{DIRECTORY}"}, "does not name this node"),
        (STATIC, {"standalone": True}, "please remove controller.quorum.voters"),
        (STATIC, {"features": ["kraft.version=1"]}, "Cannot set kraft.version to 1"),
        (BROKER, {"standalone": True}, "on a controller"),
    ],
)
def test_this_is_refused(given, options, complaint):
    with pytest.raises(SettingError, match=complaint):
        plan(given, **options)


def test_the_quorum_is_what_settings_and_options_say():
    assert plan(STATIC).quorum is Quorum.STATIC
    assert plan(STATIC).kraft_version == 0
    assert plan(BROKER).quorum is Quorum.JOINING
    assert plan(GIVEN, no_initial_controllers=True).voters == ()
    alone = plan(GIVEN, standalone=True)
    assert alone.kraft_version == 1
    (voter,) = alone.voters
    assert [(one.name, one.host, one.port) for one in voter.endpoints] == [("C", "localhost", 9093)]


def test_listed_controllers_keep_their_directories():
    voters = plan(GIVEN, initial_controllers=f"1@[::1]:9093:{DIRECTORY}").voters
    assert [voter.voter_id for voter in voters] == [1]
    assert voters[0].endpoints[0].host == "::1"


@pytest.mark.parametrize(
    "text", ["", "1@host", "1@host:0:" + DIRECTORY, "x@host:1:" + DIRECTORY, "1@host:1:short"]
)
def test_a_controller_that_cannot_be_is_refused(text):
    with pytest.raises(MoldauError, match="--initial-controllers"):
        parse_voter(text, "C")


def test_users_become_records():
    records = plan(GIVEN, standalone=True, scram=["SCRAM-SHA-512=[name=a,password=b]"]).records
    assert (records[-1].name, records[-1].mechanism) == ("a", 2)
    assert isinstance(FormatError("x"), SettingError)


@pytest.mark.parametrize("release", [None, "4.4-IV0"])
def test_a_level_that_may_still_change_is_what_a_switch_gives(release):
    given = {**STATIC, "unstable.feature.versions.enable": "true"}
    assert plan(given, release=release).metadata_version == 31


def test_without_the_switch_it_is_refused():
    with pytest.raises(FormatError, match=r"metadata.version 4.4-IV0 is not yet stable"):
        feature_levels(None, ["metadata.version=31"])
    with pytest.raises(FormatError, match=r"Unknown metadata.version '4.4-IV0'.*4.3-IV0$"):
        feature_levels("4.4-IV0", [])
