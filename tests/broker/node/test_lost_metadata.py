"""A node whose metadata are damaged says so, every time, and never serves without them."""

from __future__ import annotations

import re

import pytest

from moldau.broker.log.directory.clean_shutdown import FILE_NAME as MARKER
from moldau.broker.runtime.quorum.committed_note import FILE_NAME as NOTE
from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import read_whole
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.node.simulated_node import run

DIRECTORY = "data/__cluster_metadata-0"
LOG = f"{DIRECTORY}/00000000000000000000.log"
SETTINGS = {"num_partitions": 1, "metadata_log_max_record_bytes_between_snapshots": 10**6}
OTHER_ID = b"directory.id=2d3Jf8JzTQ-vKk3CJyDf5A"
Topic = MetadataRequest.MetadataRequestTopic


async def served_once(machine):
    """A node that had a topic, and its metadata log."""
    node = machine.node(**SETTINGS)
    await node.start()
    client = await machine.connect(node)
    request = MetadataRequest(topics=[Topic(name="orders")], allow_auto_topic_creation=True)
    await machine.ask(client, request, 12)
    await machine.tasks.sleep(100)
    await node.stop()


async def topics_of(machine):
    node = machine.node(**SETTINGS)
    await node.start()
    answer = await machine.ask(await machine.connect(node), MetadataRequest(topics=None), 12)
    await node.stop()
    return [topic.name for topic in answer.topics]


def overwrite(files, path, contents):
    file = files.open(path)
    file.truncate(0)
    file.append(contents)
    file.close()


def flip(files, path, position):
    contents = bytearray(read_whole(files, path))
    contents[position] ^= 0x10
    overwrite(files, path, bytes(contents))


def second_batch(files):
    contents = read_whole(files, LOG)
    return 12 + int.from_bytes(contents[8:12], "big")


def refusals(damage, *, clean):
    """What two starts say after this damage, and what is in the log then and was before."""

    async def main(machine):
        await served_once(machine)
        if not clean:
            machine.files.remove(f"data/{MARKER}")
        damage(machine.files)
        before = read_whole(machine.files, LOG) if machine.files.status(LOG) else b""
        refused_with = []
        for _ in range(2):
            with pytest.raises(CorruptRecordError) as refused:
                await machine.node(**SETTINGS).start()
            refused_with.append(str(refused.value))
        assert read_whole(machine.files, LOG) == before
        return refused_with

    return run(main)


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize(
    ("damage", "where"),
    [
        (lambda files: flip(files, LOG, 70), "offset 0"),
        (lambda files: flip(files, LOG, 10), "offset 0"),
        (lambda files: flip(files, LOG, second_batch(files) + 70), "offset 3"),
        (lambda files: flip(files, LOG, second_batch(files) + 7), "offset 3"),
        (lambda files: flip(files, LOG, -1), "offset "),
        (lambda files: overwrite(files, LOG, b""), "offset 0"),
    ],
    ids=["first", "length", "second", "base offset", "last", "empty"],
)
def test_a_damaged_log_is_refused_again_and_again_and_left_as_it_is(damage, where, clean):
    refused_with = refusals(damage, clean=clean)
    assert refused_with[0] == refused_with[1]
    assert refused_with[0].startswith(f"{LOG}: ")
    assert where in refused_with[0]
    assert refused_with[0].endswith(f"; restore {DIRECTORY} from a copy of this disk")


def test_without_damage_the_topic_is_there():
    async def main(machine):
        await served_once(machine)
        return await topics_of(machine)

    assert run(main) == ["orders"]


def test_a_metadata_directory_that_is_gone_is_missed_after_a_clean_stop():
    refused_with = refusals(lambda files: files.remove_tree(DIRECTORY), clean=True)
    assert "where offset 0 should be" in refused_with[0]
    assert refused_with[0] == refused_with[1]


def emptied(files):
    files.remove_tree(DIRECTORY)
    files.make_directory(DIRECTORY)


@pytest.mark.parametrize("damage", [lambda files: files.remove_tree(DIRECTORY), emptied])
def test_a_metadata_directory_that_is_gone_is_missed_after_a_crash(damage):
    refused_with = refusals(damage, clean=False)
    assert refused_with[0] == refused_with[1]
    assert refused_with[0] == (
        f"{DIRECTORY}: no voters are in it, and none in the settings; "
        f"restore {DIRECTORY} from a copy of this disk"
    )


def test_of_an_empty_cluster_it_is_missed_as_well():
    def damage(files):
        files.remove_tree(DIRECTORY)
        files.remove_tree("data/orders-0")

    assert "no voters are in it" in refusals(damage, clean=False)[0]


def test_a_log_and_its_note_that_are_gone_are_missed_after_a_crash_by_the_logs_beside():
    def damage(files):
        files.remove(LOG)
        files.remove(f"{DIRECTORY}/{NOTE}")

    refused_with = refusals(damage, clean=False)
    assert refused_with[0] == refused_with[1]
    assert refused_with[0].startswith(
        f"{DIRECTORY}: its log ends at offset 0, and the logs of topics"
    )


def test_who_was_only_formatted_has_lost_nothing():
    async def main(machine):
        machine.node(**SETTINGS)
        return await topics_of(machine)

    assert run(main) == []


def test_who_knows_where_to_ask_waits_for_the_voters():
    asking = {"controller_quorum_bootstrap_servers": "elsewhere:9093", **SETTINGS}

    async def main(machine):
        await served_once(machine)
        machine.files.remove(f"data/{MARKER}")
        machine.files.remove_tree(DIRECTORY)
        with pytest.raises(TimeoutError):
            async with machine.tasks.deadline(5000):
                await machine.node(**asking).start()

    run(main)


def test_logs_of_topics_without_any_metadata_are_no_strays():
    voter = {"controller_quorum_voters": "1@broker:9093", **SETTINGS}

    async def main(machine):
        node = machine.node(**voter)
        machine.files.make_directory("data/orders-0")
        with pytest.raises(CorruptRecordError, match="below offset 1 was on the disk; restore"):
            await node.start()

    run(main)


def test_a_tail_that_was_never_committed_is_cut_as_ever():
    async def main(machine):
        await served_once(machine)
        machine.files.remove(f"data/{MARKER}")
        overwrite(machine.files, LOG, read_whole(machine.files, LOG) + b"\0" * 30)
        return await topics_of(machine)

    assert run(main) == ["orders"]


def test_a_damaged_note_is_no_reason_to_refuse():
    async def main(machine):
        await served_once(machine)
        overwrite(machine.files, f"{DIRECTORY}/{NOTE}", b"0\n1\n__clu")
        return await topics_of(machine)

    assert run(main) == ["orders"]


def test_metadata_that_know_the_directory_by_another_id_are_refused_with_the_right_one():
    def change_id(files):
        path = "data/meta.properties"
        overwrite(files, path, re.sub(rb"directory.id=.*", OTHER_ID, read_whole(files, path)))

    first, second = refusals(change_id, clean=True)
    assert first == second
    known = r"by (.{22}); restore the line directory.id=\1"
    assert re.fullmatch(rf"data/meta.properties: directory.id is 2d3J.*{known}", first)
