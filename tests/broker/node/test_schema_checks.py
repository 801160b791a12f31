"""A node holds records against schemas from when a topic asks for it, by the registry it has."""

from __future__ import annotations

from moldau.broker.server.produce.schemas.registry import WebSchemas
from moldau.protocol.messages.config.incremental_alter_configs import (
    IncrementalAlterConfigsRequest,
)
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from tests.broker.node.simulated_node import run
from tests.broker.server.produce.schema_world import Registry

Resource = IncrementalAlterConfigsRequest.AlterConfigsResource
TOPIC = 2
NAME = "confluent.value.schema.validation"
NEW = CreateTopicsRequest(
    topics=[
        CreateTopicsRequest.CreatableTopic(
            name="topic", num_partitions=1, replication_factor=1, assignments=[], configs=[]
        )
    ],
    timeout_ms=1000,
)
SETTINGS = {"confluent_schema_registry_url": "http://registry:8081"}


def setting(value):
    config = Resource.AlterableConfig(name=NAME, config_operation=0, value=value)
    one = Resource(resource_type=TOPIC, resource_name="topic", configs=[config])
    return IncrementalAlterConfigsRequest(resources=[one], validate_only=False)


def test_the_checks_are_made_when_the_first_topic_asks_and_after_a_start():
    async def main(machine):
        node = machine.node(**SETTINGS)
        await node.start()
        client = await machine.connect(node)
        await machine.ask(client, NEW, 7)
        before = node.broker.schema_checks
        await machine.ask(client, setting("true"), 1)
        lookup = node.broker.schema_checks._lookup
        by_url = lookup(), lookup()
        node.schemas = Registry()
        own = lookup() is node.schemas
        await node.stop()
        again = machine.node(**SETTINGS)
        await again.start()
        after = again.broker.schema_checks
        await again.stop()
        return before, by_url, own, after

    before, (first, second), own, after = run(main)
    assert (before, own) == (None, True)
    assert first is second
    assert isinstance(first, WebSchemas)
    assert after is not None
