"""What a request needs, and of which topic."""

import pytest

from moldau.programs.http.messages import Request
from moldau.programs.http.routes import Router
from moldau.programs.registry.api.table import registry_routes
from moldau.programs.registry.needs import Need, Operation, needed, topic_of

DESCRIBE, WRITE = Operation.DESCRIBE, Operation.WRITE
DELETE, ALTER = Operation.DELETE, Operation.ALTER
OF_ORDERS = ("orders-value",)
IN_CONTEXT = (":.compatibility:o",)


@pytest.mark.parametrize(
    ("method", "path", "need"),
    [
        ("GET", "/subjects/orders-value/versions/1", Need(DESCRIBE, OF_ORDERS)),
        ("POST", "/subjects/orders-value", Need(DESCRIBE, OF_ORDERS)),
        ("POST", "/subjects/orders-value/versions", Need(WRITE, OF_ORDERS)),
        ("POST", "/contexts/compatibility/subjects/o/versions", Need(WRITE, IN_CONTEXT)),
        ("POST", "/subjects/compatibility/versions", Need(WRITE, ("compatibility",))),
        ("POST", "/%73ubjects/o/versions", Need(WRITE, ("o",))),
        ("POST", "/compatibility/subjects/o/versions", Need(DESCRIBE, ("o",))),
        ("DELETE", "/subjects/orders-value/versions/1", Need(DELETE, OF_ORDERS)),
        ("DELETE", "/subjects/alias", Need(DELETE, OF_ORDERS)),
        ("PUT", "/config/orders-value", Need(WRITE, OF_ORDERS)),
        ("PUT", "/mode/orders-value", Need(ALTER, OF_ORDERS)),
        ("PUT", "/config/alias", Need(WRITE, ("alias",))),
        ("PUT", "/contexts/c/config/o", Need(WRITE, (":.c:o",))),
        ("PUT", "/contexts/c/mode", Need(ALTER)),
        ("PUT", "/config", Need(ALTER)),
        ("DELETE", "/mode", Need(ALTER)),
        ("GET", "/subjects", Need(DESCRIBE)),
        ("GET", "/contexts/c/schemas", Need(DESCRIBE)),
        ("GET", "/schemas/ids/1", Need(DESCRIBE, OF_ORDERS)),
        ("GET", "/schemas/ids/9", Need(DESCRIBE, ("",))),
        ("GET", "/dek-registry/v1/keks", Need(DESCRIBE)),
        ("GET", "/dek-registry/v1/keks/k", None),
        ("GET", "/dek-registry/v1/keks/k/deks", Need(DESCRIBE)),
        ("GET", "/schemas/ids/" + "9" * 5000, Need(DESCRIBE, ("",))),
        ("DELETE", "/contexts/c", Need(ALTER)),
        ("POST", "/dek-registry/v1/keks/k/test", Need(ALTER)),
        ("POST", "/contexts/c/dek-registry/v1/keks/k/deks/o", Need(WRITE, (":.c:o",))),
        ("POST", "/dek-registry/v1/keks", Need(ALTER)),
        ("POST", "/dek-registry/v1/keks/k/undelete", Need(ALTER)),
        ("GET", "/dek-registry/v1/keks/k/deks/orders-value", Need(DESCRIBE, OF_ORDERS)),
        ("POST", "/dek-registry/v1/keks/k/deks/orders-value", Need(WRITE, OF_ORDERS)),
        ("DELETE", "/dek-registry/v1/keks/k/deks/orders-value", Need(DELETE, OF_ORDERS)),
        ("DELETE", "/dek-registry/v1/keks/k/deks/alias", Need(DELETE, OF_ORDERS)),
        ("GET", "/config", None),
        ("GET", "/schemas/types", None),
    ],
)  # fmt: skip
def test_each_request_needs_what_it_does_to_its_subject(ask, method, path, need):
    ask.register("orders-value", '"int"')
    ask("PUT", "/config/alias", {"alias": "orders-value"})
    _, names = Router(registry_routes(ask.scope, ask.keys, "cluster", "group")).find(method, path)
    assert needed(ask.scope, Request(method, path, parameters=names)) == need


def test_a_subject_is_of_the_topic_that_it_is_named_after():
    named = ("a-value", ":.c:a-b-key", "shop.Order", "-key")
    assert [topic_of(subject) for subject in named] == ["a", "a-b", None, None]
