"""What clients bring and take, counted."""

from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.monitoring.traffic import Traffic
from moldau.errors import CorruptRecordError, MoldauError
from moldau.protocol.records.refusals import (
    InvalidBatchError,
    InvalidTimestampError,
    MisnumberedBatchError,
)


def test_bytes_and_messages_count_for_their_topic_and_in_all():
    traffic = Traffic(Registry())
    traffic.produced("a", 100, 3)
    traffic.produced("b", 10, 1)
    traffic.fetched("a", 7)
    assert (traffic.topic("a").bytes_in.count, traffic.total.bytes_in.count) == (100, 110)
    assert (traffic.topic("a").messages_in.count, traffic.total.messages_in.count) == (3, 4)
    assert traffic.total.bytes_out.count == 7
    assert repr(traffic) == "Traffic(110 bytes in, 7 out)"


def test_batches_of_a_request_may_be_counted_together():
    one_by_one, together = Traffic(Registry()), Traffic(Registry())
    for size in (100, 10, 7):
        one_by_one.produced("a", size, 2)
    together.produced("a", 117, 6, batches=3)
    for traffic in (one_by_one.topic("a"), one_by_one.total):
        counts = [meter.count for meter in traffic.all()]
        assert counts == [meter.count for meter in together.topic("a").all()]
    assert together.total.produces.count == 3


def test_failures_count_as_requests_too():
    traffic = Traffic(Registry())
    traffic.refused("a", 50, InvalidBatchError("no"))
    traffic.fetch_failed("a")
    one = traffic.topic("a")
    assert (one.produces.count, one.failed_produces.count, one.bytes_rejected.count) == (1, 1, 50)
    assert (one.fetches.count, one.failed_fetches.count) == (1, 1)
    assert sum(meter.count for meter in traffic.total.all()) == 54


def test_batches_are_counted_by_what_is_wrong_with_them():
    registry = Registry()
    traffic = Traffic(registry)
    for error in (
        CorruptRecordError("damaged"),
        MisnumberedBatchError("no sequence"),
        MisnumberedBatchError("no records"),
        InvalidTimestampError("two without a key, and one too old", (), 2),
        InvalidBatchError("three without a key", (), 3),
        MoldauError("elsewhere"),
    ):
        traffic.refused("a", 1, error)
    counts = {
        name.name: metric.count
        for name, metric in registry
        if isinstance(metric, Meter) and "Records" in name.name
    }
    assert counts == {
        "InvalidMagicNumberRecordsPerSec": 0,
        "InvalidMessageCrcRecordsPerSec": 1,
        "InvalidOffsetOrSequenceRecordsPerSec": 2,
        "NoKeyCompactedTopicRecordsPerSec": 5,
    }


def test_a_deleted_topic_takes_its_numbers_with_it():
    registry = Registry()
    traffic = Traffic(registry)
    traffic.produced("a", 1, 1)
    traffic.forget("a")
    traffic.forget("a")
    assert not any(name.tags for name, _ in registry)
    assert traffic.topic("a").bytes_in.count == 0
