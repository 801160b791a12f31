"""The cluster and its quorum in numbers, as their only node shows them."""

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.server.monitoring.figures.cluster import CONTROLLER as CONTROLLER_TABLE
from moldau.broker.server.monitoring.figures.cluster import RAFT
from moldau.broker.server.monitoring.figures.table import Each, Row
from tests.broker.server.monitoring.figures.live_node import value

CONTROLLER = "kafka_controller_kafkacontroller_"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("activecontrollercount", 1),
        ("activebrokercount", 1),
        ("fencedbrokercount", 0),
        ("globaltopiccount", 3),
        ("globalpartitioncount", 11),
        ("offlinepartitionscount", 0),
        ("preferredreplicaimbalancecount", 0),
        ("timedoutbrokerheartbeatcount", 0),
        ("newactivecontrollerscount", 1),
        ("lastappliedrecordlagms", 0),
        ("controlledshutdownbrokercount", 0),
        ("ignoredstaticvoters", 0),
        ("eventqueueoperationstimedoutcount", 0),
    ],
)
def test_the_controller_shows_the_state_of_the_cluster(name, number):
    assert value(CONTROLLER + name) == number


@pytest.mark.parametrize(
    ("is_fenced", "is_leaving", "number"),
    [(False, False, 30), (False, True, 20), (True, False, 10), (True, True, 10)],
)
def test_each_broker_is_registered_as_kafka_numbers_it(is_fenced, is_leaving, number):
    broker = SimpleNamespace(fenced=is_fenced, in_controlled_shutdown=is_leaving)
    image = SimpleNamespace(cluster=SimpleNamespace(brokers={7: broker}))
    scrape: Any = SimpleNamespace(image=image)
    (row,) = (one for one in CONTROLLER_TABLE.rows if one.name == "BrokerRegistrationState")
    assert isinstance(row, Each)
    assert list(row.read(scrape)) == [(("7",), number)]


def test_the_controller_knows_when_brokers_sent_their_last_heartbeats():
    node: Any = SimpleNamespace(silences_ms={3: 900, 1: 20})
    scrape: Any = SimpleNamespace(quorum=node)
    (row,) = (one for one in CONTROLLER_TABLE.rows if one.name.startswith("TimeSince"))
    assert isinstance(row, Each)
    assert list(row.read(scrape)) == [(("1",), 20), (("3",), 900)]
    assert 0 <= value(CONTROLLER + "timesincelastheartbeatreceivedms", 'broker="1"') < 60_000


def test_what_became_metadata_is_counted_and_measured():
    listener = "kafka_server_brokermetadatalistener_"
    batches = value(f"{listener}metadatabatchsizes_count")
    assert value(f"{listener}metadatabatchsizes_sum") >= batches > 0
    assert value(f"{listener}metadatabatchprocessingtimeus_count") == batches
    decided = value("kafka_controller_controllereventmanager_eventqueueprocessingtimems_count")
    assert value(CONTROLLER + "eventqueueoperationsstartedcount") == decided > 0


@pytest.mark.parametrize(("last_offset", "number"), [(9, 1), (-1, 0)])
def test_a_change_of_voters_shows_until_it_is_committed(last_offset, number):
    history = SimpleNamespace(last_offset=last_offset)
    node: Any = SimpleNamespace(voter_history=history, high_watermark=5)
    scrape: Any = SimpleNamespace(quorum=SimpleNamespace(node=node), leads_the_quorum=True)
    (row,) = (one for one in RAFT.rows if one.name == "uncommitted-voter-change")
    assert isinstance(row, Row)
    assert row.read(scrape) == number


def test_what_is_committed_is_applied():
    applied = value(CONTROLLER + "lastappliedrecordoffset")
    assert value(CONTROLLER + "lastcommittedrecordoffset") >= applied > 0
    assert value("kafka_server_broker_metadata_metrics_last_applied_record_timestamp") > 0


def test_the_quorum_has_one_voter_who_leads():
    assert value("kafka_server_raft_metrics_current_state", 'state="leader"') == 1
    assert value("kafka_server_raft_metrics_current_leader") == 1
    assert value("kafka_server_raft_metrics_number_of_voters") == 1
    end = value("kafka_server_raft_metrics_log_end_offset")
    assert end >= value("kafka_server_raft_metrics_high_watermark") > 0


def test_none_was_elected_and_nothing_lost():
    assert value("kafka_controller_controllerstats_leaderelections_total") == 0
    assert value("kafka_controller_controllerstats_uncleanleaderelections_total") == 0


def test_features_are_reported_with_their_levels_and_what_is_possible():
    on = 'featurename="metadataVersion"'
    could = 'feature_name="metadata-version"'
    finalized = value("kafka_server_metadataloader_finalizedlevel", on)
    assert finalized == value("kafka_server_metadataloader_currentmetadataversion")
    least = value("kafka_server_node_metrics_minimum_supported_level", could)
    most = value("kafka_server_node_metrics_maximum_supported_level", could)
    assert 0 < least < finalized <= most


def test_a_quorum_of_one_has_no_observers_and_it_has_its_first_snapshot():
    assert value("kafka_server_metadataloader_currentcontrollerid") == 1
    assert value("kafka_server_raft_metrics_number_of_observers") == 0
    assert value("kafka_server_snapshotemitter_latestsnapshotgeneratedbytes") > 0


def test_what_the_controller_decided_took_its_time():
    events = f"{CONTROLLER.replace('kafkacontroller', 'controllereventmanager')}eventqueue"
    assert value(f"{events}timems_count") == value(f"{events}processingtimems_count") > 0
    assert value(f"{events}processingtimems_sum") > 0
    commit = "kafka_server_raft_metrics_commit_latency"
    assert 0 < value(f"{commit}_avg") <= value(f"{commit}_max")


def test_a_node_that_lives_has_met_no_error_in_the_metadata():
    assert value(f"{CONTROLLER}metadataerrorcount") == 0
    assert value("kafka_server_broker_metadata_metrics_metadata_apply_error_count") == 0
