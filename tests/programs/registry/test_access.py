"""What a request needs, and that the cluster's answer about the topic decides."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client.errors import AccessDeniedError, UnknownTopicError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.http.routes import Router
from moldau.programs.registry.access import Access, AccessRouter, AdminRights
from moldau.programs.registry.api.table import registry_routes
from moldau.programs.registry.needs import Need, Operation, needed
from moldau.programs.registry.records import read_json
from tests.programs.registry.asked import Asked, error_of, record

DESCRIBE, WRITE = Operation.DESCRIBE, Operation.WRITE
DELETE, ALTER = Operation.DELETE, Operation.ALTER
OF_ORDERS = ("orders-value",)


class KnownRights:
    def __init__(self, cluster=(), **topics):
        self.cluster = frozenset(cluster)
        self.topics = {name: frozenset(given) for name, given in topics.items()}
        self.asked = 0

    async def of_topic(self, topic):
        self.asked += 1
        return self.topics.get(topic)

    async def of_cluster(self):
        return self.cluster


def test_a_schema_is_read_by_who_may_describe_one_of_its_topics(ask):
    ask.register("orders-value", '"int"')
    ask.register("copies-value", '"int"')
    guid = ask.state.subjects["orders-value"][1].guid
    names = {"guid": guid}
    need = needed(ask.scope, Request("GET", f"/schemas/guids/{guid}", parameters=names))
    assert need is not None
    assert sorted(need.subjects) == ["copies-value", "orders-value"]
    assert allowed(need, KnownRights(orders=(), copies=[DESCRIBE]))
    assert not allowed(need, KnownRights(orders=(), copies=()))


def allowed(need, rights):
    return error_of(lambda: asyncio.run(Access(rights, SimulatedClock()).ensure(need))) != 40301


@pytest.mark.parametrize(
    ("need", "rights", "is_allowed"),
    [
        (Need(WRITE, OF_ORDERS), KnownRights(orders=[WRITE]), True),
        (Need(WRITE, OF_ORDERS), KnownRights(orders=[DESCRIBE]), False),
        (Need(WRITE, OF_ORDERS), KnownRights(), False),
        (Need(DESCRIBE, OF_ORDERS), KnownRights(), True),
        (Need(DESCRIBE, OF_ORDERS), KnownRights(orders=()), False),
        (Need(DESCRIBE, ("shop.Order",)), KnownRights(), True),
        (Need(WRITE, ("shop.Order",)), KnownRights([DESCRIBE]), False),
        (Need(WRITE, ("shop.Order",)), KnownRights([ALTER]), True),
        (Need(DESCRIBE), KnownRights([DESCRIBE]), True),
        (Need(ALTER), KnownRights([DESCRIBE]), False),
    ],
)
def test_the_topics_operations_decide(need, rights, is_allowed):
    assert allowed(need, rights) == is_allowed


def test_what_the_cluster_answered_is_kept_for_seconds_and_no_longer():
    clock, rights = SimulatedClock(), KnownRights(orders=[WRITE])
    access = Access(rights, clock)
    for _ in range(3):
        asyncio.run(access.ensure(Need(WRITE, OF_ORDERS)))
    assert rights.asked == 1
    rights.topics["orders"] = frozenset()
    clock.advance_ms(5000)
    with pytest.raises(HttpError):
        asyncio.run(access.ensure(Need(WRITE, OF_ORDERS)))
    rights.topics["orders"] = frozenset([WRITE])
    asyncio.run(access.ensure(Need(WRITE, OF_ORDERS)))


def test_routes_are_behind_the_rights(ask):
    rights = KnownRights(orders=[DESCRIBE])
    routes = Router(registry_routes(ask.scope, ask.keys, "cluster", "group"))
    router = AccessRouter(routes, ask.scope, Access(rights, SimulatedClock()))

    def asked(method, path, body=b""):
        handler, names = router.find(method, path)
        request = Request(method, path, body=body, parameters=names)
        answer: Any = handler(request)
        return asyncio.run(answer)

    body = b'{"schema": "\\"int\\""}'
    with pytest.raises(HttpError, match="denied operation Write on Subject: orders-value"):
        asked("POST", "/subjects/orders-value/versions", body)
    assert "orders-value" not in ask.state.subjects
    rights.topics["orders"] = frozenset([WRITE])
    assert asked("GET", "/config").status == 200


def asking(ask, rights):
    """Requests of one user; it returns the JSON, or the code of a refusal."""
    routes = Router(registry_routes(ask.scope, ask.keys, "cluster", "group"))
    router = AccessRouter(routes, ask.scope, Access(rights, SimulatedClock()))

    def asked(method, path, body=None, **query):
        handler, names = router.find(method, path)
        data = b"" if body is None else json.dumps(body).encode()
        request = Request(method, path, query, body=data, parameters=names)
        answer: Any = handler(request)
        try:
            return json.loads(asyncio.run(answer).body)
        except HttpError as error:
            return error.code

    return asked


def test_what_may_not_be_described_may_not_be_referred_to(ask):
    ask.register("secret-value", record("inner", name="Secret"))
    rights = KnownRights(mine=[WRITE, DESCRIBE], secret=())
    asked = asking(ask, rights)
    outer = json.dumps({"type": "record", "name": "R", "fields": [{"name": "f", "type": "Secret"}]})
    reference = {"name": "Secret", "subject": "secret-value", "version": 1}
    body = {"schema": outer, "references": [reference]}
    for path in ("/subjects/mine-value/versions", "/compatibility/subjects/mine-value/versions"):
        assert asked("POST", path, body) == 40301
    assert "mine-value" not in ask.state.subjects
    rights.topics["secret"] = frozenset([DESCRIBE])
    assert asked("POST", "/subjects/mine-value/versions", body)["version"] == 1


@pytest.mark.parametrize(
    "path", ["/schemas/ids/1/subjects", "/contexts/:.:/schemas/ids/1/%73ubjects/"]
)
def test_of_the_subjects_of_a_schema_those_are_shown_that_may_be_described(ask, path):
    for subject in ("a-value", "secret-value", "z-value"):
        ask.register(subject, '"int"')
    asked = asking(ask, KnownRights(a=[DESCRIBE], secret=(), z=[DESCRIBE]))
    assert asked("GET", path) == ["a-value", "z-value"]
    assert asked("GET", path, offset=["1"], limit=["1"]) == ["z-value"]
    versions = asked("GET", "/schemas/ids/1/versions")
    assert [one["subject"] for one in versions] == ["a-value", "z-value"]
    assert asking(ask, KnownRights([ALTER], secret=()))("GET", path)[1] == "secret-value"


def test_subjects_that_come_in_while_they_are_looked_for_are_judged_too(ask):
    other = Asked()
    for subject in ("a-value", "secret-value"):
        other.register(subject, '"int"')

    async def read_to_end():
        for key, value in other.store.records:
            ask.state.apply(read_json(key) or {}, read_json(value))

    ask.store.read_to_end = read_to_end
    asked = asking(ask, KnownRights(a=[DESCRIBE], secret=()))
    assert asked("GET", "/schemas/ids/1/subjects") == ["a-value"]


def test_what_may_not_be_described_may_not_have_an_alias(ask):
    ask.register("secret-value", '"int"')
    rights = KnownRights(mine=[WRITE, DESCRIBE], secret=())
    asked = asking(ask, rights)
    for name in ("alias", "aliasForDeks"):
        assert asked("PUT", "/config/mine-value", {name: "secret-value"}) == 40301
    assert "mine-value" not in ask.state.configs
    rights.topics["secret"] = frozenset([DESCRIBE])
    assert asked("PUT", "/config/mine-value", {"alias": "secret-value"})["alias"] == "secret-value"


def test_an_alias_that_changes_while_the_cluster_is_asked_gives_no_rights(ask):
    ask.register("secret-value", '"int"')
    ask("PUT", "/config/mine", {"alias": "open-value"})

    class Slow(KnownRights):
        async def of_topic(self, topic):
            if topic == "open":
                ask.state.configs["mine"] = {"alias": "secret-value"}
            return await super().of_topic(topic)

    ask.register("open-value", '"long"')
    asked = asking(ask, Slow(open=[DESCRIBE, DELETE], secret=()))
    assert asked("DELETE", "/subjects/mine") == 40301
    assert ask.state.versions("secret-value")


def test_an_alias_of_keys_that_changes_before_they_are_deleted_leads_nowhere_else(ask):
    kek = {"name": "k", "kmsType": "local-kms", "kmsKeyId": "one"}
    ask("POST", "/dek-registry/v1/keks", kek)
    for subject in ("open-value", "secret-value"):
        dek = {"version": 1, "encryptedKeyMaterial": "b3Blbg=="}
        ask("POST", f"/dek-registry/v1/keks/k/deks/{subject}", dek)
    ask("PUT", "/config/mine", {"aliasForDeks": "open-value"})
    write = ask.keys.write

    async def slow(decide):
        ask.state.configs["mine"] = {"aliasForDeks": "secret-value"}
        return await write(decide)

    ask.keys.write = slow
    routes = Router(registry_routes(ask.scope, ask.keys, "cluster", "group"))
    rights = KnownRights(open=[DELETE], secret=())
    router = AccessRouter(routes, ask.scope, Access(rights, SimulatedClock()))
    path = "/dek-registry/v1/keks/k/deks/mine"
    handler, names = router.find("DELETE", path)
    answer: Any = handler(Request("DELETE", path, parameters=names))
    assert asyncio.run(answer).status == 204
    assert ask("GET", "/dek-registry/v1/keks/k/deks") == (200, ["secret-value"])


def test_a_schema_that_comes_in_while_it_is_looked_for_is_behind_its_rights_too(ask):
    other = Asked()
    other.register("secret-value", '"int"')

    async def read_to_end():
        for key, value in other.store.records:
            ask.state.apply(read_json(key) or {}, read_json(value))

    ask.store.read_to_end = read_to_end
    asked = asking(ask, KnownRights(secret=()))
    assert asked("GET", "/schemas/ids/1") == 40301
    assert asking(ask, KnownRights(secret=[DESCRIBE]))("GET", "/schemas/ids/1")["schema"] == '"int"'


def test_a_topic_that_is_denied_is_not_one_that_is_absent():
    class Admin:
        async def describe_topics(self, names, *, operations):
            raise errors[names[0]]

        async def describe_cluster(self, *, operations):
            return SimpleNamespace(operations=None)

    errors = {
        "denied": AccessDeniedError("denied", "DESCRIBE"),
        "absent": UnknownTopicError("a", ""),
    }
    admin: Any = Admin()
    rights = AdminRights(admin)
    assert asyncio.run(rights.of_topic("denied")) == frozenset()
    assert asyncio.run(rights.of_topic("absent")) is None
    assert asyncio.run(rights.of_cluster()) == frozenset()


def test_an_id_that_a_subject_leads_into_another_context_is_judged_there(ask):
    ask.register("open-value", '"string"')
    ask.register(":.x:secret-value", '"int"')
    rights = KnownRights(open=[DESCRIBE], secret=[])
    path, named = "/schemas/ids/1", ["secret-value"]
    assert asking(ask, rights)("GET", path, subject=named) == 40301
    allowed = KnownRights(secret=[DESCRIBE])
    assert asking(ask, allowed)("GET", path, subject=named)["schema"] == '"int"'
