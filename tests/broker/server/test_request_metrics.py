"""What is counted of requests."""

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.request_metrics import RequestMetrics


def test_requests_count_by_version_and_their_times_by_api():
    registry = Registry()
    old, current = (RequestMetrics(registry, "Fetch", version) for version in (4, 17))
    old.answered(2_500_000, 2_500_000)
    current.answered(500_000, 500_000)
    assert (old.requests.count, current.requests.count) == (1, 1)
    assert old.total_time is current.total_time
    assert current.total_time.percentile(1) == 2.5


def test_errors_are_named():
    registry = Registry()
    metrics = RequestMetrics(registry, "Fetch", 17)
    metrics.failed(3)
    metrics.failed(3)
    counted = {str(name): repr(metric) for name, metric in registry}
    name = "kafka.network:type=RequestMetrics,name=ErrorsPerSec"
    assert counted[f"{name},request=Fetch,error=UNKNOWN_TOPIC_OR_PARTITION"] == "Meter(2)"


def test_sizes_and_throttling_are_kept_by_api():
    registry = Registry()
    old, current = (RequestMetrics(registry, "Fetch", version) for version in (4, 17))
    old.sizes.record(100)
    old.throttle_time.record(5)
    assert (current.sizes.total, current.throttle_time.total) == (100, 5)
    assert {name.name for name, _ in registry} >= {"RequestBytes", "ThrottleTimeMs"}
