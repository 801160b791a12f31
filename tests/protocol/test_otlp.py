"""Metrics as OpenTelemetry has them, read by Google's protobuf with OTLP's own declarations."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from moldau.broker.server.telemetry.otlp import read_points
from moldau.protocol.otlp import Number, Series, Spread, metrics_data

Field = descriptor_pb2.FieldDescriptorProto
KINDS = {
    "string": Field.TYPE_STRING,
    "fixed64": Field.TYPE_FIXED64,
    "double": Field.TYPE_DOUBLE,
    "int32": Field.TYPE_INT32,
    "bool": Field.TYPE_BOOL,
}
OTLP = {
    "MetricsData": [(1, "resource_metrics", "*ResourceMetrics")],
    "ResourceMetrics": [(1, "resource", "Resource"), (2, "scope_metrics", "*ScopeMetrics")],
    "Resource": [(1, "attributes", "*KeyValue")],
    "ScopeMetrics": [(2, "metrics", "*Metric")],
    "Metric": [
        (1, "name", "string"),
        (2, "description", "string"),
        (5, "gauge", "Gauge"),
        (7, "sum", "Sum"),
        (11, "summary", "Summary"),
    ],
    "Summary": [(1, "data_points", "*SummaryDataPoint")],
    "SummaryDataPoint": [
        (2, "start_time_unix_nano", "fixed64"),
        (3, "time_unix_nano", "fixed64"),
        (4, "count", "fixed64"),
        (5, "sum", "double"),
        (6, "quantile_values", "*ValueAtQuantile"),
        (7, "attributes", "*KeyValue"),
    ],
    "ValueAtQuantile": [(1, "quantile", "double"), (2, "value", "double")],
    "Gauge": [(1, "data_points", "*NumberDataPoint")],
    "Sum": [
        (1, "data_points", "*NumberDataPoint"),
        (2, "aggregation_temporality", "int32"),
        (3, "is_monotonic", "bool"),
    ],
    "NumberDataPoint": [
        (2, "start_time_unix_nano", "fixed64"),
        (3, "time_unix_nano", "fixed64"),
        (4, "as_double", "double"),
        (7, "attributes", "*KeyValue"),
    ],
    "KeyValue": [(1, "key", "string"), (2, "value", "AnyValue")],
    "AnyValue": [(1, "string_value", "string")],
}
"""The part of opentelemetry/proto/metrics/v1/metrics.proto that is used; * is repeated."""
PREFIX = "org.apache.kafka.consumer."
SERIES = [
    Series(f"{PREFIX}connection.creation.total", [Number(300)], is_sum=True),
    Series(f"{PREFIX}node.request.latency.avg", [Number(2.5, (("node_id", "17"),))]),
]


@pytest.fixture(scope="module")
def read() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="otlp.proto", package="otlp", syntax="proto3")
    for name, fields in OTLP.items():
        message = file.message_type.add(name=name)
        for number, field, kind in fields:
            made = message.field.add(name=field, number=number)
            made.label = Field.LABEL_REPEATED if kind[0] == "*" else Field.LABEL_OPTIONAL
            plain = kind.lstrip("*")
            made.type = KINDS.get(plain, Field.TYPE_MESSAGE)
            if made.type == Field.TYPE_MESSAGE:
                made.type_name = f".otlp.{plain}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName("otlp.MetricsData"))
    return kind.FromString


def written(*, is_delta: bool) -> bytes:
    about = {"group_id": "billing", "client_rack": "ü"}
    return metrics_data(SERIES, about, 5, 7, is_delta=is_delta)


@pytest.mark.parametrize(("is_delta", "temporality"), [(True, 1), (False, 2)])
def test_protobuf_reads_names_values_times_and_attributes(read, is_delta, temporality):
    (resource,) = read(written(is_delta=is_delta)).resource_metrics
    about = {one.key: one.value.string_value for one in resource.resource.attributes}
    assert about == {"group_id": "billing", "client_rack": "ü"}
    total, average = resource.scope_metrics[0].metrics
    assert total.name == f"{PREFIX}connection.creation.total"
    assert (total.sum.aggregation_temporality, total.sum.is_monotonic) == (temporality, True)
    (point,) = total.sum.data_points
    assert (point.as_double, point.start_time_unix_nano, point.time_unix_nano) == (
        300,
        5_000_000,
        7_000_000,
    )
    (point,) = average.gauge.data_points
    assert (point.as_double, point.attributes[0].value.string_value) == (2.5, "17")


def test_a_node_of_ours_reads_the_same():
    assert [tuple(point) for point in read_points(written(is_delta=True))] == [
        (f"{PREFIX}connection.creation.total", (), 300.0, True),
        (f"{PREFIX}node.request.latency.avg", (("node_id", "17"),), 2.5, False),
    ]


def test_protobuf_reads_summaries_and_what_a_metric_means(read):
    spread = Spread(4, 10.5, ((0.5, 2.0), (0.99, 4.0)), (("request", "Fetch"),))
    series = [Series("time", [spread, spread], description="How long.")]
    (resource,) = read(metrics_data(series, {}, 5, 7, is_delta=False)).resource_metrics
    (metric,) = resource.scope_metrics[0].metrics
    assert metric.description == "How long."
    (point, again) = metric.summary.data_points
    assert point == again
    assert (point.count, point.sum, point.start_time_unix_nano) == (4, 10.5, 5_000_000)
    assert [(one.quantile, one.value) for one in point.quantile_values] == [(0.5, 2), (0.99, 4)]
    assert point.attributes[0].value.string_value == "Fetch"
