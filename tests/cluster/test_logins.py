"""Three nodes that log in at each other, with access rules, are one cluster."""

from __future__ import annotations

from typing import Any

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from tests.cluster.nodes import Nodes
from tests.judges.logins import ADMIN, ALICE, ALICE_PASSWORD, client_settings, node_settings

TIMEOUT_S = 30
OF_CLIENTS, OF_CONTROLLERS = "listener.name.plaintext.", "listener.name.controller."


def settings():
    settings_of_node = node_settings(
        sasl_mechanism_controller_protocol="PLAIN",
        authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        super_users=f"User:{ADMIN}",
    )
    login = settings_of_node[f"{OF_CLIENTS}plain.sasl.jaas.config"]
    return {
        **settings_of_node,
        "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
        f"{OF_CONTROLLERS}sasl.enabled.mechanisms": "PLAIN",
        f"{OF_CONTROLLERS}plain.sasl.jaas.config": login,
    }


def test_what_is_written_behind_a_login_is_on_every_node(tmp_path):
    with Nodes(tmp_path, settings=settings()) as nodes:
        as_admin: Any = {"bootstrap.servers": nodes.bootstrap, **client_settings()}
        admin = AdminClient(as_admin)
        admin.create_topics([NewTopic("letters", 3, 3)])["letters"].result(TIMEOUT_S)
        found: list[tuple[Any, Any]] = []
        producer = Producer({**as_admin, "acks": "all"})
        for partition in range(3):
            producer.produce(
                "letters",
                b"x",
                partition=partition,
                callback=lambda error, message: found.append((error, message.partition())),
            )
        assert producer.flush(TIMEOUT_S) == 0
        assert sorted(found, key=lambda one: one[1]) == [(None, 0), (None, 1), (None, 2)]
        as_alice = client_settings("PLAIN", ALICE, ALICE_PASSWORD)
        alice = AdminClient({"bootstrap.servers": nodes.bootstrap, **as_alice})
        assert not alice.list_topics(timeout=TIMEOUT_S).topics
