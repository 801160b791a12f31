"""Judges: librdkafka may do what its role allows; an Apache Kafka node makes nothing of roles."""

from __future__ import annotations

import time
from typing import Any, cast

import pytest
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)

from tests.judges.logins import ALICE, ALICE_PASSWORD, client_settings, node_settings

pytestmark = pytest.mark.judge

SETTINGS = node_settings(
    authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    super_users="User:admin;User:ANONYMOUS",
)
WAIT_S = 60
BINDING = AclBinding(
    ResourceType.TOPIC,
    "letters",
    ResourcePatternType.LITERAL,
    f"User:{ALICE}",
    "role:ResourceOwner",
    AclOperation.ALL,
    AclPermissionType.ALLOW,
)
ANYTHING: Any = AclBindingFilter(
    ResourceType.ANY,
    cast(Any, None),
    ResourcePatternType.ANY,
    cast(Any, None),
    cast(Any, None),
    AclOperation.ANY,
    AclPermissionType.ANY,
)


def granted(node):
    """The administrator's client, when every node can have applied what it has granted."""
    admin = AdminClient({"bootstrap.servers": node.bootstrap, **client_settings()})
    for future in admin.create_acls([BINDING]).values():
        future.result(WAIT_S)
    deadline = time.monotonic() + WAIT_S
    while BINDING not in admin.describe_acls(ANYTHING).result(WAIT_S):
        assert time.monotonic() < deadline
    return admin


def creates(node):
    """How alice's request to create an own topic ends."""
    from_alice = client_settings("PLAIN", ALICE, ALICE_PASSWORD)
    admin = AdminClient({"bootstrap.servers": node.bootstrap, **from_alice})
    try:
        admin.create_topics([NewTopic("letters", 1, 1)])["letters"].result(WAIT_S)
    except KafkaException as error:
        return str(error.args[0].name())
    return "created"


def test_a_role_is_a_right_here(new_moldau_node):
    node = new_moldau_node(SETTINGS)
    node.start()
    granted(node)
    assert creates(node) == "created"
    errors: list[object] = []
    from_alice = client_settings("PLAIN", ALICE, ALICE_PASSWORD)
    producer = Producer({"bootstrap.servers": node.bootstrap, **from_alice})
    producer.produce("letters", b"mine", on_delivery=lambda error, _: errors.append(error))
    assert producer.flush(WAIT_S) == 0
    assert errors == [None]


@pytest.mark.long
def test_apache_kafka_keeps_a_role_and_makes_nothing_of_it(new_kafka_node):
    node = new_kafka_node(SETTINGS)
    node.start()
    granted(node)
    assert creates(node) == "TOPIC_AUTHORIZATION_FAILED"
