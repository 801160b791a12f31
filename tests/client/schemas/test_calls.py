"""What clients ask of a registry."""

from __future__ import annotations

import pytest

from moldau.client.errors import UnreachableError
from moldau.client.schemas import Reference, RegistryError, SchemaText
from moldau.client.schemas.calls import RegistryCalls
from moldau.client.schemas.settings import registry_settings
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from tests.client.schemas.simulated_registry import URL, SimulatedRegistry
from tests.network.outgoing.scripted_web import URL as SCRIPTED
from tests.network.outgoing.scripted_web import ScriptedWeb, answer

MONEY = SchemaText('{"type":"record","name":"Money","fields":[{"name":"cents","type":"long"}]}')
ORDER = SchemaText(
    '{"type":"record","name":"Order","fields":[{"name":"price","type":"Money"}]}',
    references=(Reference("Money", "shop/money", 1),),
    metadata={"tags": {"Order.price": ["PII"]}},
)


def scripted(*script, **options):
    """What a server is asked that answers so."""
    server = ScriptedWeb(*script)

    async def main(tasks):
        world = SimulatedWorld(tasks, SeededRandom(1))
        await server.open(world)
        settings = registry_settings({"url": SCRIPTED, **options})
        return await RegistryCalls(settings, world.host("client"), tasks).subjects()

    return run(main, SimulatedClock()), server.asked


def test_a_schema_is_registered_and_found_again_with_all_that_it_has():
    registry = SimulatedRegistry()
    registry.register("shop/money", MONEY)
    made = registry.register("orders-value", ORDER)
    assert (made.id, made.version) == (2, 1)
    found = registry.by_id(2)
    assert (found.schema, found.guid) == (ORDER, made.guid)
    assert registry.by_guid(made.guid).schema == ORDER
    assert registry.look_up("orders-value", ORDER).id == 2
    assert registry.latest("orders-value").version == 1
    assert registry.version("shop/money", 1).schema == MONEY
    assert registry.subjects() == ["orders-value", "shop/money"]
    assert registry.versions("orders-value") == [1]
    assert registry.parsed(ORDER).record_name == "Order"


def test_what_a_schema_refers_to_is_in_its_own_context():
    registry = SimulatedRegistry()
    registry.register("shop/money", SchemaText(MONEY.text.replace("cents", "pence")))
    registry.register(":.x:shop/money", MONEY)
    made = registry.register(":.x:orders-value", ORDER)
    for found in (
        registry.by_id(made.id, ":.x:"),
        registry.latest(":.x:orders-value"),
        registry.version(":.x:orders-value", 1),
    ):
        parsed = registry.parsed(found.schema)
        assert parsed.encoder()({"price": {"cents": 7}}).payload == b"\x0e"


def test_a_refusal_has_the_code_of_the_registry():
    with pytest.raises(RegistryError, match="Subject 'no' not found") as refused:
        SimulatedRegistry().latest("no")
    assert (refused.value.status, refused.value.code) == (404, 40401)


def test_the_next_address_is_asked_where_one_does_not_answer():
    assert SimulatedRegistry(f"http://registry:1,{URL}").subjects() == []
    with pytest.raises(UnreachableError, match="cannot reach the registry"):
        SimulatedRegistry("http://registry:1").subjects()


def test_a_login_goes_with_every_request():
    _, asked = scripted(answer(b"[]"), **{"basic.auth.user.info": "ada:secret"})
    assert "Authorization: Basic YWRhOnNlY3JldA==\r\n" in asked[0]
    _, asked = scripted(answer(b"[]"), **{"bearer.auth.token": "t"})
    assert "Authorization: Bearer t\r\n" in asked[0]


def test_an_error_that_is_no_json_is_one_sentence():
    with pytest.raises(RegistryError, match=r"GET /subjects: the registry refuses it \(502\)"):
        scripted(answer(b"<html>", "502 Bad Gateway"))
