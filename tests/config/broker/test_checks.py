"""Combinations that no node can work with are refused with what would be right."""

import pytest

from moldau.config.broker.checks import check
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from tests.config.broker.test_settings import COMBINED


def test_an_ordinary_node_passes():
    check(BrokerSettings.of(COMBINED))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"process.roles": ""}, "process.roles must name"),
        ({"node.id": "1", "broker.id": "2"}, "give node.id alone"),
        ({"controller.listener.names": ""}, "at least one value"),
        ({"listeners": "PLAINTEXT://:9092"}, "appearing in the 'listeners'"),
        ({"process.roles": "broker"}, "only a broker"),
        ({"process.roles": "controller"}, "the listeners of a controller"),
        ({"inter.broker.listener.name": "EXTERNAL"}, "EXTERNAL is not one of PLAINTEXT"),
        ({"advertised.listeners": "PLAINTEXT://0.0.0.0:9092"}, "nonroutable"),
        ({"listeners": "CONTROLLER://:9093"}, "at least one broker listener"),
        (
            {
                "inter.broker.listener.name": "PLAINTEXT",
                "security.inter.broker.protocol": "PLAINTEXT",
            },
            "only one of",
        ),
        ({"replica.socket.timeout.ms": "1"}, "replica.socket.timeout.ms should"),
        ({"replica.lag.time.max.ms": "1"}, "replica.fetch.wait.max.ms should"),
        (
            {"log.cleaner.min.compaction.lag.ms": "2", "log.cleaner.max.compaction.lag.ms": "1"},
            "lag",
        ),
        ({"socket.send.buffer.bytes": "0"}, "or -1 to leave it to the system"),
        ({"queued.max.request.bytes": "1"}, "queued.max.request.bytes must"),
        ({"max.connections.per.ip.overrides": "a:1,host"}, "has 'host'; each is written"),
        ({"max.connections.per.ip.overrides": "a:many"}, "has 'a:many'"),
        ({"max.connections.per.ip.overrides": "host.example:1"}, "written as an address"),
        ({"early.start.listeners": "PLAINTEXT,INTERNAL"}, "has INTERNAL, which is neither"),
        ({"log.retention.hours": "0"}, "must not be 0"),
        ({"log.retention.ms": "0"}, "log.retention.ms must be 1 or more"),
        ({"log.dir": ""}, "log.dir is empty"),
        ({"log.dirs": " "}, "log.dirs is empty"),
        ({"group.consumer.assignors": ""}, "is empty; what is there is uniform and range"),
        (
            {"group.share.assignors": "org.example.Fair"},
            "org.example.Fair; what is there is simple",
        ),
        (
            {"group.share.persister.class.name": "org.example.Redis"},
            "is org.example.Redis; what is there is org.apache.kafka.server.share.persister.Def",
        ),
        ({"offsets.topic.compression.codec": "5"}, "codecs are 0 to 4"),
        ({"group.max.session.timeout.ms": "1"}, "group.max.session.timeout.ms must"),
        ({"group.share.session.timeout.ms": "1"}, "group.share.min.session.timeout.ms"),
        ({"group.streams.heartbeat.interval.ms": "99999"}, "group.streams.max.heartbeat"),
        (
            {
                "group.consumer.session.timeout.ms": "5000",
                "group.consumer.min.session.timeout.ms": "5000",
            },
            "must be less than",
        ),
        ({"max.connections.per.ip": "0"}, "refuses every connection"),
        ({"connections.max.idle.ms": "100"}, "connections.max.idle.ms must be more than"),
        ({"log.roll.ms": "0"}, "log.roll.ms is 0"),
        ({"log.roll.jitter.ms": "-1"}, "log.roll.jitter.ms is -1"),
        ({"log.cleaner.threads": "0"}, "log.cleaner.threads must be 1"),
        ({"log.cleaner.threads": "128"}, "more than 1 MiB for each"),
        ({"group.share.max.share.sessions": "1"}, "must be at least group.share.max.size"),
        ({"group.streams.num.standby.replicas": "3"}, "must be at most group.streams.max"),
        ({"group.coordinator.rebalance.protocols": "consumer"}, "must contain classic"),
    ],
)
def test_this_is_refused(given, complaint):
    with pytest.raises(SettingError, match=complaint):
        check(BrokerSettings({**COMBINED, **given}))
