"""A broker asks a registry over HTTP: ours, in a simulated world."""

from __future__ import annotations

import json

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.server_properties import node_settings
from moldau.broker.server.produce.schemas.registry import WebSchemas, check_registry_urls
from moldau.config.refusals import SettingError
from moldau.errors import NetworkError
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from moldau.programs.http.messages import Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.api.table import registry_routes
from tests.programs.registry.asked import Asked

USED = '{"type":"record","name":"U","fields":[]}'
TEXT = '{"type":"record","name":"R","fields":[{"name":"u","type":"U"}]}'
URL = "http://registry:8081"


def found(schema, routes, **given):
    """What a broker with these settings finds, and the logins that it has shown."""

    async def scenario(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        server = HttpServer(Router(routes), tasks, SimulatedClock())
        await server.open(world.host("registry"), Address("", 8081))
        given.setdefault("confluent.schema.registry.url", f"http://absent:1, {URL}/")
        schemas = WebSchemas(node_settings(alone("data"), given), world.host("broker"), tasks)
        try:
            return await schemas.find(schema)
        finally:
            server.close()

    return run(scenario, SimulatedClock())


def registry():
    ask = Asked()
    ask.register("used", USED)
    reference = {"name": "U", "subject": "used", "version": 1}
    for subject in ("one", "a/b"):
        ask.register(subject, TEXT, references=[reference])
    return ask, registry_routes(ask.scope, ask.keys, "cluster", "group")


@pytest.mark.parametrize("by_guid", [False, True])
def test_a_schema_is_found_with_its_subjects_and_what_it_refers_to(by_guid):
    ask, routes = registry()
    known = found(ask.state.subjects["one"][1].guid if by_guid else 2, routes)
    assert known.subjects == {"one", "a/b"}
    assert known.record_name == "R"
    assert known.parsed.decoder()(b"") == {"u": {}}


def test_rules_and_metadata_come_with_the_schema():
    ask, routes = registry()
    rule = {"name": "r", "type": "CEL", "kind": "CONDITION", "expr": "true"}
    tags = {"tags": {"R.u": ["PII"]}}
    ask.register("three", '"int"', ruleSet={"domainRules": [rule]}, metadata=tags)
    known = found(3, routes)
    assert known.schema.rule_set["domainRules"][0]["expr"] == "true"
    assert known.schema.metadata["tags"] == tags["tags"]


def test_what_the_registry_does_not_have_is_none():
    _, routes = registry()
    assert found(99, routes) is None
    assert found("00000000-1111-2222-3333-444444444444", routes) is None


@pytest.mark.parametrize("body", [b"nothing", b"[]", b'{"schema": 1}', b'{"references": [1]}'])
def test_what_is_no_answer_of_a_registry_is_an_error_and_not_a_verdict(body):
    routes = [
        Route("GET", f"/schemas/ids/{{id}}{end}", lambda _: Response(body))
        for end in ("", "/versions")
    ]
    with pytest.raises(NetworkError):
        found(1, routes)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"confluent.basic.auth.user.info": "me:secret"}, "Basic bWU6c2VjcmV0"),
        ({"confluent.bearer.auth.token": "abc"}, "Bearer abc"),
    ],
)
def test_the_broker_logs_in(given, shown):
    seen = []

    def answer(request):
        seen.append(request.headers["authorization"])
        return Response(json.dumps([{"subject": "s", "schema": '"int"'}]).encode())

    routes = [Route("GET", "/schemas/ids/{id}/versions", answer)]
    with pytest.raises(NetworkError):
        found(1, [*routes, Route("GET", "/schemas/ids/{id}", answer)], **given)
    assert set(seen) == {shown}


def test_a_url_that_is_none_is_refused():
    assert check_registry_urls("http://a:1, https://b/") == ("http://a:1", "https://b")
    with pytest.raises(SettingError, match=r"confluent\.schema\.registry\.url = a:8081"):
        check_registry_urls("a:8081")
