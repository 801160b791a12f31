"""Where the time of requests went, and who fetched."""

from __future__ import annotations

from moldau.broker.metrics.kinds import Histogram, Meter
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.figures.requests import times_of_requests
from moldau.broker.server.request_metrics import FETCH_FOLLOWER, RequestMetrics
from tests.broker.server.monitoring.figures.live_node import value

REQUESTS = "kafka_network_requestmetrics_"
MS = 1_000_000


def shown(registry):
    """By name and API; of counters their count."""
    found = {}
    for name, metric in times_of_requests(registry):
        tags = dict(name.tags)
        found[name.name, tags["request"]] = metric.count if isinstance(metric, Meter) else metric
    return found


def milliseconds(histogram):
    assert isinstance(histogram, Histogram)
    return histogram.count, histogram.total * histogram.scale


def test_time_is_local_until_the_handler_is_done_and_remote_from_then_on():
    registry = Registry()
    produce = RequestMetrics(registry, "Produce", 9)
    produce.answered(2 * MS, 2 * MS)
    produce.answered(10 * MS, 3 * MS)
    found = shown(registry)
    assert milliseconds(found["LocalTimeMs", "Produce"]) == (2, 5.0)
    assert milliseconds(found["RemoteTimeMs", "Produce"]) == (2, 7.0)
    assert found["RemoteTimeMs", "Produce"].percentile(0.5) == 0
    assert milliseconds(found["ResponseSendTimeMs", "Produce"]) == (2, 0)


def test_fetches_of_consumers_are_all_but_those_of_followers():
    registry = Registry()
    fetch = RequestMetrics(registry, "Fetch", 17)
    followers = RequestMetrics(registry, FETCH_FOLLOWER, 17)
    for one in (fetch, followers):
        one.answered(500 * MS, 1 * MS)
        one.sizes.record(100)
        one.failed(3)
    fetch.answered(4 * MS, 2 * MS)
    fetch.sizes.record(60)
    found = shown(registry)
    assert found["RequestsPerSec", "FetchConsumer"] == 1
    assert found["ErrorsPerSec", "FetchConsumer"] == 0
    assert milliseconds(found["TotalTimeMs", "FetchConsumer"]) == (1, 4.0)
    assert milliseconds(found["LocalTimeMs", "FetchConsumer"]) == (1, 2.0)
    assert milliseconds(found["RemoteTimeMs", "FetchConsumer"]) == (1, 2.0)
    assert milliseconds(found["RemoteTimeMs", "FetchFollower"]) == (1, 499.0)
    assert found["RequestBytes", "FetchConsumer"].total == 60


def test_a_request_that_was_answered_at_once_was_not_remote():
    total = value(f"{REQUESTS}totaltimems_sum", 'request="Fetch"')
    assert value(f"{REQUESTS}localtimems_sum", 'request="Fetch"') == total > 0
    assert value(f"{REQUESTS}remotetimems_sum", 'request="Fetch"') == 0


def test_no_follower_has_fetched_from_a_node_that_is_alone():
    assert value(f"{REQUESTS}totaltimems_count", 'request="FetchConsumer"') == 1
    for queue in ("requestqueue", "responsequeue"):
        assert value(f"kafka_network_requestchannel_{queue}size") == 0
