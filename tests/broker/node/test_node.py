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
    async def main(play):
        node = play.node()
        await node.start()
        client = await play.connect(node)
        versions = await play.ask(client, ASK, 4)
        await node.stop()
        return versions.error_code, versions.finalized_features_epoch > 0, play.files.list("data")

    code, has_features, names = run(main)
    assert (code, has_features) == (0, True)
    assert {FILE_NAME, "meta.properties", "__cluster_metadata-0"} <= set(names)


def test_a_start_that_is_given_up_anywhere_puts_away_what_it_has_begun():
    async def given_up_after(play, turns):
        """A node whose start is cancelled after so many turns; whether it was done by then."""
        node = play.node()
        starting = play.tasks.spawn("start", node.start())
        for _ in range(turns):
            await play.tasks.sleep(0)
        if starting.done():
            await node.stop()
            return True
        starting.cancel()
        while not starting.done():
            await play.tasks.sleep(1)
        return False

    async def main(play):
        turns = 0
        while not await given_up_after(play, turns):
            turns += 1
        return turns

    assert run(main) > 10


def test_both_listeners_answer_for_their_own_apis():
    async def main(play):
        node = play.node()
        await node.start()
        answers = [
            await play.ask(await play.connect(node, listener), ASK, 4)
            for listener in ("PLAINTEXT", "CONTROLLER")
        ]
        await node.stop()
        return [{api.api_key for api in answer.api_keys} for answer in answers]

    broker, controller = run(main)
    assert 3 in broker
    assert 3 not in controller


def test_a_topic_that_is_named_is_there_soon_and_after_a_restart():
    async def main(play):
        node = play.node(num_partitions=3)
        await node.start()
        client = await play.connect(node)
        request = MetadataRequest(topics=[Topic(name="orders")])
        first = await play.ask(client, request, 12)
        await play.tasks.sleep(100)
        second = await play.ask(client, request, 12)
        await node.stop()
        again = play.node()
        await again.start()
        third = await play.ask(await play.connect(again), request, 12)
        await again.stop()
        return first.topics[0].error_code, second.topics[0], third.topics[0]

    code, first, again = run(main)
    assert code == 3
    assert [partition.leader_id for partition in first.partitions] == [1, 1, 1]
    assert again.topic_id == first.topic_id
    assert len(again.partitions) == 3


def test_the_same_seed_gives_the_same_cluster():
    async def main(play):
        node = play.node()
        await node.start()
        answer = await play.ask(await play.connect(node), MetadataRequest(topics=[]), 12)
        await node.stop()
        return answer.cluster_id, play.clock.monotonic_ns()

    assert run(main, seed=7) == run(main, seed=7)


def test_a_second_node_on_the_same_disk_is_refused_and_the_first_goes_on():
    async def main(play):
        node = play.node()
        await node.start()
        with pytest.raises(DirectoryRefusedError):
            await play.node().start()
        answer = await play.ask(await play.connect(node), ASK, 0)
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
    async def main(play):
        node = play.node()
        await node.start()
        request = change_of_all_brokers("log.cleaner.io.max.bytes.per.second", "1000000")
        await play.ask(await play.connect(node), request, 1)
        await play.tasks.sleep(10)
        rate = node._upkeep.cleaner.limits.bytes_per_second
        await node.stop()
        return rate

    assert run(main) == 1_000_000


def test_settings_that_are_changed_hold_at_once_and_after_a_restart():
    request = change_of_all_brokers("log.retention.ms", "123456")

    async def main(play):
        node = play.node()
        await node.start()
        answer = await play.ask(await play.connect(node), request, 1)
        before = node.broker.settings.retention_ms
        await node.stop()
        again = play.node()
        await again.start()
        after = again.settings.retention_ms
        await again.stop()
        return answer.responses[0].error_code, before, after

    assert run(main) == (0, 123456, 123456)
