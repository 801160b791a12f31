"""What is counted of requests."""

import socket
import urllib.request

import moldau.testing
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.request_metrics import (
    RequestMetrics,
    count_errors,
    error_lists,
)
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.messages.group.offset_fetch import OffsetFetchResponse
from tests.broker.server.asking import frame_of, sized
from tests.cluster.asking import TIMEOUT_S

TOPIC = ListOffsetsResponse.ListOffsetsTopicResponse
PARTITION = TOPIC.ListOffsetsPartitionResponse


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


def listed(*codes):
    partitions = [PARTITION(partition_index=n, error_code=one) for n, one in enumerate(codes)]
    return ListOffsetsResponse(topics=[TOPIC(name="orders", partitions=partitions)])


def test_lists_are_found_however_deep_they_are():
    assert error_lists(ListOffsetsResponse) == (("topics", "partitions"),)
    assert ("groups", "topics", "partitions") in error_lists(OffsetFetchResponse)


def test_each_element_counts_that_has_an_error():
    lists = error_lists(ListOffsetsResponse)
    assert count_errors(listed(0, 3, 6, 3), lists) == {3: 2, 6: 1}
    assert count_errors(listed(0), lists) == {}


def test_errors_of_partitions_are_on_the_page():
    listing = ListOffsetsRequest.ListOffsetsTopic
    asked = listing(
        name="none", partitions=[listing.ListOffsetsPartition(partition_index=0, timestamp=-1)]
    )
    fetching = FetchRequest.FetchTopic
    fetched = fetching(
        topic="none",
        partitions=[fetching.FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1)],
    )
    with moldau.testing.Node(metrics_port=0) as node:
        ask(node.bootstrap, ListOffsetsRequest(replica_id=-1, topics=[asked]), 3)
        ask(
            node.bootstrap,
            FetchRequest(replica_id=-1, max_wait_ms=0, min_bytes=0, topics=[fetched]),
            11,
        )
        with urllib.request.urlopen(f"http://{node.node.metrics_address}/metrics") as page:
            text = page.read().decode()
    name = "kafka_network_requestmetrics_errors_total"
    for request in ("ListOffsets", "Fetch"):
        line = f'{name}{{request="{request}",error="UNKNOWN_TOPIC_OR_PARTITION"}} 1'
        assert line in text, [one for one in text.splitlines() if name in one]


def ask(place, request, version):
    host, _, port = place.rpartition(":")
    with socket.create_connection((host, int(port)), TIMEOUT_S) as link:
        link.sendall(sized(frame_of(request, version)))
        size = int.from_bytes(link.recv(4, socket.MSG_WAITALL))
        link.recv(size, socket.MSG_WAITALL)
