"""Connections, traffic and requests in numbers, after a few requests of one client."""

import pytest

from tests.broker.server.monitoring.figures.live_node import RECORDS, scraped, value

TRAFFIC = "kafka_server_brokertopicmetrics_"
REQUESTS = "kafka_network_requestmetrics_"


def test_a_connection_is_reported_the_listener_that_it_came_to():
    name = "kafka_server_socket_server_metrics_connection_count"
    assert value(name, 'listener="PLAINTEXT"') == 1
    assert value(name, 'listener="CONTROLLER"') == 0
    assert value("kafka_server_socket_server_metrics_connection_creation_total") == 1


@pytest.mark.parametrize("labels", ["", 'topic="t"'])
def test_traffic_is_reported_in_all_and_by_topic(labels):
    assert value(f"{TRAFFIC}messagesin_total", labels) == RECORDS
    came, went = (value(f"{TRAFFIC}{way}_total", labels) for way in ("bytesin", "bytesout"))
    assert came == went > 0


def test_requests_are_reported_by_version_with_their_times_and_sizes():
    assert value(f"{REQUESTS}requests_total", 'request="Fetch",version="12"') == 1
    assert value(f"{REQUESTS}requestbytes_count", 'request="Fetch"') == 1
    assert value(f"{REQUESTS}requestbytes_sum", 'request="Fetch"') > 0
    assert value(f"{REQUESTS}totaltimems_sum", 'request="Fetch"') > 0
    assert value(f"{REQUESTS}throttletimems_sum", 'request="Fetch"') == 0


def test_dashboards_find_fetch_under_the_name_of_those_who_fetch():
    for name, version in (("requests_total", ',version="12"'), ("totaltimems_sum", "")):
        sizes = value(f"{REQUESTS}{name}", f'request="FetchConsumer"{version}')
        assert sizes == value(f"{REQUESTS}{name}", f'request="Fetch"{version}') > 0


@pytest.mark.parametrize("name", ["purgatorysize", "numdelayedoperations"])
def test_none_waits(name):
    name = f"kafka_server_delayedoperationpurgatory_{name}"
    waiting = [number for (one, _), number in scraped().items() if one == name]
    assert waiting == [0, 0, 0, 0]


def test_a_fetch_of_a_new_session_leaves_one():
    assert value("kafka_server_fetchsessioncache_numincrementalfetchsessions") == 1
    assert value("kafka_server_fetchsessioncache_numincrementalfetchpartitionscached") == 1


def test_frames_that_are_whole_hold_no_room():
    pool = "kafka_network_socketserver_memorypool"
    assert value(f"{pool}used") == 0
    assert value(f"{pool}available") > 2**20
    assert value("kafka_network_socketserver_expiredconnectionskilledcount") == 0


def test_no_client_has_asked_what_to_push_and_nothing_came_damaged():
    assert value("kafka_server_client_metrics_instance_count") == 0
    for why in ("messagecrc", "offsetorsequence", "magicnumber"):
        assert value(f"{TRAFFIC}invalid{why}records_total") == 0
    assert value(f"{TRAFFIC}nokeycompactedtopicrecords_total") == 0


@pytest.mark.parametrize(
    "name",
    [
        "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent",
        "kafka_network_socketserver_networkprocessoravgidle_percent",
        "kafka_server_raft_metrics_poll_idle_ratio_avg",
        "kafka_server_group_coordinator_metrics_thread_idle_ratio_avg",
    ],
)
def test_one_loop_is_as_idle_as_all_the_threads_that_it_stands_for(name):
    same = value("kafka_network_socketserver_networkprocessoravgidle_percent")
    assert 0 <= value(name) == same <= 1
