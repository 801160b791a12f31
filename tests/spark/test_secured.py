"""A source, a sink and the lag of a query over SASL_SSL, with the names of Java's settings."""

from __future__ import annotations

import time

import pytest

import moldau
from moldau.client import TopicPartition
from moldau.client.admin import NewTopic
from tests.judges.certificates import HOSTS, Certificates
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.logins import ADMIN, ADMIN_PASSWORD, PLAIN_MODULE
from tests.judges.moldau_node import MoldauNode

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(600)]
TOPIC, QUERY = "letters", "query-of-letters"
PATIENCE_S = 60
LOGIN = f'{PLAIN_MODULE} required username="{ADMIN}" password="{ADMIN_PASSWORD}"'


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Java's settings for a node that has no other listener for clients."""
    folder = tmp_path_factory.mktemp("secured")
    certificates = Certificates(folder)
    ports = free_ports(2)
    settings = {
        "listeners": f"SECURE://{HOST}:{ports[0]},CONTROLLER://{HOST}:{ports[1]}",
        "listener.security.protocol.map": "SECURE:SASL_SSL,CONTROLLER:PLAINTEXT",
        "inter.broker.listener.name": "SECURE",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.secure.plain.sasl.jaas.config": (
            f'{LOGIN} user_{ADMIN}="{ADMIN_PASSWORD}";'
        ),
        **certificates.pem_settings(certificates.issue("node", HOSTS)),
    }
    node = MoldauNode(folder, settings=settings, ports=ports)
    node.start()
    yield {
        "bootstrap.servers": node.bootstrap,
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": LOGIN + ";",
        **certificates.pem_settings(),
    }
    node.stop()


def options(client: dict[str, str]) -> dict[str, str]:
    return {f"kafka.{name}": text for name, text in client.items()}


def committed(client: dict[str, str]) -> list[int | None]:
    """What lag tools see, once the listener knows the last batch."""
    deadline = time.monotonic() + PATIENCE_S
    with moldau.client.connect(client) as connection:
        while True:
            found = list(connection.committed(QUERY, [TopicPartition(TOPIC, 0)]).values())
            if None not in found or time.monotonic() > deadline:
                return found
            time.sleep(0.1)


def test_what_spark_writes_over_sasl_ssl_it_reads_and_the_query_shows_as_a_group(
    spark, client, tmp_path
):
    with moldau.Admin(client) as admin:
        admin.create_topics(NewTopic(TOPIC, partitions=1))
    rows = spark.createDataFrame([(f"letter {n}",) for n in range(20)], "value string")
    rows.write.format("moldau").options(**options(client), topic=TOPIC).mode("append").save()
    source = {**options(client), "subscribe": TOPIC, "startingOffsets": "earliest"}
    read = spark.read.format("moldau").options(**source).load().selectExpr("string(value)")
    assert sorted(row.value for row in read.collect()) == sorted(f"letter {n}" for n in range(20))
    stream = spark.readStream.format("moldau").options(**source).load().writeStream
    query = stream.format("noop").queryName(QUERY).trigger(availableNow=True)
    query.option("checkpointLocation", str(tmp_path)).start().awaitTermination()
    with moldau.client.connect(client) as connection:
        assert committed(client) == list(connection.latest(TOPIC).values())
