"""A whole node from its first start to its last stop, in a simulated world."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.clean_shutdown import FILE_NAME
from moldau.broker.log.directory.directory import DirectoryRefusedError
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.node.simulated_node import run

ASK = ApiVersionsRequest(client_software_name="a", client_software_version="1")
Topic = MetadataRequest.MetadataRequestTopic


def test_a_node_on_a_blank_disk_serves_and_leaves_in_order():
    async def main(machine):
        node = machine.node()
        await node.start()
        client = await machine.connect(node)
        versions = await machine.ask(client, ASK, 4)
        await node.stop()
        return (
            versions.error_code,
            versions.finalized_features_epoch > 0,
            machine.files.list("data"),
        )

    code, has_features, names = run(main)
    assert (code, has_features) == (0, True)
    assert {FILE_NAME, "meta.properties", "__cluster_metadata-0"} <= set(names)


def test_a_start_that_is_given_up_anywhere_puts_away_what_it_has_begun():
    async def given_up_after(machine, turns):
        """A node whose start is cancelled after so many turns; whether it was done by then."""
        node = machine.node()
        starting = machine.tasks.spawn("start", node.start())
        for _ in range(turns):
            await machine.tasks.sleep(0)
        if starting.done():
            await node.stop()
            return True
        starting.cancel()
        while not starting.done():
            await machine.tasks.sleep(1)
        return False

    async def main(machine):
        turns = 0
        while not await given_up_after(machine, turns):
            turns += 1
        return turns

    assert run(main) > 10


def test_both_listeners_answer_for_their_own_apis():
    async def main(machine):
        node = machine.node()
        await node.start()
        answers = [
            await machine.ask(await machine.connect(node, listener), ASK, 4)
            for listener in ("PLAINTEXT", "CONTROLLER")
        ]
        await node.stop()
        return [{api.api_key for api in answer.api_keys} for answer in answers]

    broker, controller = run(main)
    assert 3 in broker
    assert 3 not in controller


def test_a_topic_that_is_named_is_there_soon_and_after_a_restart():
    async def main(machine):
        node = machine.node(num_partitions=3)
        await node.start()
        client = await machine.connect(node)
        request = MetadataRequest(topics=[Topic(name="orders")])
        first = await machine.ask(client, request, 12)
        await machine.tasks.sleep(100)
        second = await machine.ask(client, request, 12)
        await node.stop()
        again = machine.node()
        await again.start()
        third = await machine.ask(await machine.connect(again), request, 12)
        await again.stop()
        return first.topics[0].error_code, second.topics[0], third.topics[0]

    code, first, again = run(main)
    assert code == 3
    assert [partition.leader_id for partition in first.partitions] == [1, 1, 1]
    assert again.topic_id == first.topic_id
    assert len(again.partitions) == 3


def test_the_same_seed_gives_the_same_cluster():
    async def main(machine):
        node = machine.node()
        await node.start()
        answer = await machine.ask(await machine.connect(node), MetadataRequest(topics=[]), 12)
        await node.stop()
        return answer.cluster_id, machine.clock.monotonic_ns()

    assert run(main, seed=7) == run(main, seed=7)


def test_a_second_node_on_the_same_disk_is_refused_and_the_first_goes_on():
    async def main(machine):
        node = machine.node()
        await node.start()
        with pytest.raises(DirectoryRefusedError):
            await machine.node().start()
        answer = await machine.ask(await machine.connect(node), ASK, 0)
        await node.stop()
        return answer.error_code, repr(node)

    code, shown = run(main)
    assert code == 0
    assert shown.startswith("Node(1: PLAINTEXT on broker:9092")


def change_of_all_brokers(name, value):
    config = IncrementalAlterConfigsRequest.AlterConfigsResource
    change = config.AlterableConfig(name=name, config_operation=0, value=value)
    resource = config(resource_type=4, resource_name="", configs=[change])
    return IncrementalAlterConfigsRequest(resources=[resource], validate_only=False)


def test_compaction_is_slowed_down_while_the_node_runs():
    async def main(machine):
        node = machine.node()
        await node.start()
        request = change_of_all_brokers("log.cleaner.io.max.bytes.per.second", "1000000")
        await machine.ask(await machine.connect(node), request, 1)
        await machine.tasks.sleep(10)
        rate = node._upkeep.cleaner.limits.bytes_per_second
        await node.stop()
        return rate

    assert run(main) == 1_000_000


def test_settings_that_are_changed_hold_at_once_and_after_a_restart():
    request = change_of_all_brokers("log.retention.ms", "123456")

    async def main(machine):
        node = machine.node()
        await node.start()
        answer = await machine.ask(await machine.connect(node), request, 1)
        before = node.broker.settings.retention_ms
        await node.stop()
        again = machine.node()
        await again.start()
        after = again.settings.retention_ms
        await again.stop()
        return answer.responses[0].error_code, before, after

    assert run(main) == (0, 123456, 123456)
