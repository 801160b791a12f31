"""Entries are written as Java's classes write themselves."""

from __future__ import annotations

import pytest

from moldau.programs.tools.metadata.java_words import (
    broker_text,
    entity_name,
    number_text,
    resource_name,
)
from tests.broker.metadata.full_image import full_image


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0.0"),
        (7, "7.0"),
        (0.5, "0.5"),
        (1e7, "1.0E7"),
        (12345678901, "1.2345678901E10"),
        (1e-5, "1.0E-5"),
        (-2.5e9, "-2.5E9"),
        (9999999.5, "9999999.5"),
    ],
)
def test_a_number_is_written_as_a_double_of_java(number, text):
    assert number_text(number) == text


def test_an_entity_has_its_types_in_order_and_brackets_escaped():
    assert entity_name((("client-id", "a(b)\\"), ("user", "u"))) == "clientId(a\\(b\\)\\\\)_user(u)"
    assert entity_name((("ip", None),)) == "ip(<default>)"


def test_a_resource_without_a_name_is_the_default_of_its_kind():
    assert resource_name(4, "") == "BROKER"
    assert resource_name(2, "orders") == "TOPIC:orders"


def test_a_broker_is_one_line():
    assert broker_text(full_image().cluster.brokers[1]) == (
        "BrokerRegistration(id=1, epoch=12, incarnationId=aWlpaWlpaWlpaWlpaWlpaQ, "
        "listeners=[Endpoint(listenerName='PLAIN', securityProtocol=PLAINTEXT, host='host', "
        "port=9092)], supportedFeatures={metadata.version: 7-30}, rack=Optional[rack], "
        "fenced=false, inControlledShutdown=true, isMigratingZkBroker=false, "
        "directories=[ZGRkZGRkZGRkZGRkZGRkZA], cordonedDirectories=[])"
    )
