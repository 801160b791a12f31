"""Three nodes among which everything is protected, and three that become so under load.

The controllers of those speak only TLS, and log in, from the beginning on.
"""

from __future__ import annotations

import threading

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic

import moldau.client
from tests.judges.certificates import HOSTS, Certificates
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.logins import ADMIN, ADMIN_PASSWORD, PLAIN_MODULE
from tests.judges.moldau_node import MoldauNode

TOPIC = "letters"
NODES = (1, 2, 3)
WAIT_S = 60
LOGIN = (
    f'{PLAIN_MODULE} required username="{ADMIN}" password="{ADMIN_PASSWORD}" '
    f'user_{ADMIN}="{ADMIN_PASSWORD}";'
)
PLAIN_ONLY, BOTH, SECURE_AMONG_NODES, SECURE_ONLY = range(4)
"""The steps of Kafka's guide: a second listener, then nodes use it, then the first one goes."""


class SecuredCluster:
    """Nodes on fixed ports, which a step gives other listeners."""

    def __init__(self, folder, *, controllers="PLAINTEXT"):
        self._folder = folder
        self._controllers = controllers
        self.certificates = Certificates(folder)
        self._keys = self.certificates.issue("node", HOSTS)
        ports = free_ports(3 * len(NODES))
        self._ports = {one: ports[3 * index : 3 * index + 3] for index, one in enumerate(NODES)}
        self.nodes: dict[int, MoldauNode] = {}

    def place(self, step, node_id):
        """Where clients of the older or, with `SECURE_ONLY`, of the newer listener go."""
        return f"{HOST}:{self._ports[node_id][step == SECURE_ONLY]}"

    def bootstrap(self, step):
        return ",".join(self.place(step, node_id) for node_id in NODES)

    def settings(self, node_id, step):
        plain, secure, controller = self._ports[node_id]
        listeners = {"PLAINTEXT": plain, "SECURE": secure, "CONTROLLER": controller}
        if step == PLAIN_ONLY:
            del listeners["SECURE"]
        if step == SECURE_ONLY:
            del listeners["PLAINTEXT"]
        uses_secure = step >= SECURE_AMONG_NODES
        return {
            "node.id": str(node_id),
            "listeners": ",".join(f"{name}://{HOST}:{port}" for name, port in listeners.items()),
            "listener.security.protocol.map": (
                f"PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:{self._controllers}"
            ),
            "inter.broker.listener.name": "SECURE" if uses_secure else "PLAINTEXT",
            "controller.quorum.voters": ",".join(
                f"{one}@{HOST}:{self._ports[one][2]}" for one in NODES
            ),
            "sasl.enabled.mechanisms": "PLAIN",
            "sasl.mechanism.inter.broker.protocol": "PLAIN",
            "sasl.mechanism.controller.protocol": "PLAIN",
            "listener.name.secure.plain.sasl.jaas.config": LOGIN,
            "listener.name.controller.plain.sasl.jaas.config": LOGIN,
            "offsets.topic.replication.factor": "3",
            "default.replication.factor": "3",
            "min.insync.replicas": "2",
            **self.certificates.pem_settings(self._keys),
        }

    def start(self, step):
        for node_id in NODES:
            self.begin(node_id, step)
        for node in self.nodes.values():
            node.wait_ready()

    def begin(self, node_id, step):
        folder = self._folder / str(node_id)
        folder.mkdir(exist_ok=True)
        ports = (self._ports[node_id][0], self._ports[node_id][2])
        settings = self.settings(node_id, step)
        self.nodes[node_id] = node = MoldauNode(folder, settings=settings, ports=ports)
        node.begin()

    def roll(self, step):
        """One node after the other."""
        for node_id in NODES:
            assert self.nodes[node_id].stop() == 0
            self.begin(node_id, step)
            self.nodes[node_id].wait_ready()

    def client(self, step):
        settings = {"bootstrap.servers": self.bootstrap(step)}
        if step == SECURE_ONLY:
            settings |= self.certificates.librdkafka_settings() | {
                "security.protocol": "SASL_SSL",
                "sasl.mechanism": "PLAIN",
                "sasl.username": ADMIN,
                "sasl.password": ADMIN_PASSWORD,
            }
        return settings

    def end(self):
        for node in self.nodes.values():
            node.kill()

    def assert_no_bugs(self):
        for node_id, node in self.nodes.items():
            assert node.stop() == 0, node_id
            assert "A bug met" not in node.last_words()


@pytest.fixture
def cluster(tmp_path, request):
    cluster = SecuredCluster(tmp_path, controllers=getattr(request, "param", "PLAINTEXT"))
    try:
        yield cluster
    finally:
        cluster.end()


class Writer(threading.Thread):
    """Sends numbered records until it is stopped; knows which of them were acknowledged."""

    def __init__(self, name, settings):
        super().__init__()
        self.acknowledged: set[bytes] = set()
        self.errors: list[str] = []
        self._prefix = name
        self._settings = settings | {"acks": "all", "delivery.timeout.ms": 1000 * WAIT_S}
        self._is_over = threading.Event()

    def run(self):
        producer = Producer(self._settings)
        number = 0
        while not self._is_over.wait(0.002):
            producer.produce(TOPIC, f"{self._prefix} {number}", on_delivery=self._delivered)
            producer.poll(0)
            number += 1
        assert producer.flush(WAIT_S) == 0

    def _delivered(self, error, message):
        if error is None:
            self.acknowledged.add(message.value())
        else:
            self.errors.append(str(error))

    def stop(self):
        self._is_over.set()
        self.join()
        assert self.errors == []
        assert self.acknowledged


def create_topic(settings):
    admin = AdminClient(settings)
    admin.create_topics([NewTopic(TOPIC, 3, 3)])[TOPIC].result(WAIT_S)


def read(settings, count):
    consumer = Consumer(settings | {"group.id": "reader", "auto.offset.reset": "earliest"})
    consumer.subscribe([TOPIC])
    found: set[bytes] = set()
    while len(found) < count and (messages := consumer.consume(1000, WAIT_S / 2)):
        found |= {message.value() or b"" for message in messages if message.error() is None}
    consumer.close()
    return found


@pytest.mark.long
@pytest.mark.timeout(400)
@pytest.mark.parametrize("cluster", ["SASL_SSL", "SSL"], indirect=True)
def test_nodes_whose_controllers_and_brokers_speak_only_tls_are_a_cluster(cluster):
    cluster.start(SECURE_ONLY)
    settings = cluster.client(SECURE_ONLY)
    create_topic(settings)
    writer = Writer("letter", settings)
    writer.start()
    while len(writer.acknowledged) < 200:
        writer.join(0.1)
        assert writer.is_alive()
    cluster.nodes[1].kill()
    before = len(writer.acknowledged)
    while len(writer.acknowledged) < before + 200:
        writer.join(0.1)
        assert writer.is_alive()
    cluster.begin(1, SECURE_ONLY)
    cluster.nodes[1].wait_ready()
    writer.stop()
    assert read(settings, len(writer.acknowledged)) >= writer.acknowledged
    assert_our_client_reads(cluster)
    cluster.assert_no_bugs()


def assert_our_client_reads(cluster):
    """With Java's names for the same settings."""
    settings = {
        "bootstrap.servers": cluster.bootstrap(SECURE_ONLY),
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": LOGIN,
        **cluster.certificates.pem_settings(),
    }
    with moldau.client.connect(settings) as kafka:
        assert TOPIC in kafka.topics()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("cluster", ["SASL_SSL"], indirect=True)
def test_nodes_roll_from_plain_listeners_to_tls_and_logins_without_losing_a_record(cluster):
    cluster.start(PLAIN_ONLY)
    create_topic(cluster.client(PLAIN_ONLY))
    plain = Writer("plain", cluster.client(PLAIN_ONLY))
    plain.start()
    cluster.roll(BOTH)
    secure = Writer("secure", cluster.client(SECURE_ONLY))
    secure.start()
    cluster.roll(SECURE_AMONG_NODES)
    plain.stop()
    cluster.roll(SECURE_ONLY)
    assert_our_client_reads(cluster)
    secure.stop()
    acknowledged = plain.acknowledged | secure.acknowledged
    assert read(cluster.client(SECURE_ONLY), len(acknowledged)) >= acknowledged
    cluster.assert_no_bugs()
