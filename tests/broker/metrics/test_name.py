"""One name, spelled for Java's tools and for Prometheus."""

from moldau.broker.metrics.name import MetricName


def test_a_name_is_spelled_as_kafkas_beans_are():
    name = MetricName("kafka.network", "RequestMetrics", "TotalTimeMs", (("request", "Fetch"),))
    assert str(name) == "kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Fetch"
    assert name.prometheus == "kafka_network_requestmetrics_totaltimems"


def test_what_is_counted_per_second_becomes_a_total():
    name = MetricName("kafka.server", "BrokerTopicMetrics", "BytesInPerSec")
    assert name.prometheus == "kafka_server_brokertopicmetrics_bytesin_total"


def test_what_is_a_share_says_so_as_dashboards_have_it():
    name = MetricName("kafka.server", "KafkaRequestHandlerPool", "RequestHandlerAvgIdlePercent")
    assert name.prometheus == "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent"


def test_characters_that_prometheus_does_not_take_become_underscores():
    name = MetricName("kafka.server", "raft-metrics", "current-epoch")
    assert name.prometheus == "kafka_server_raft_metrics_current_epoch"
