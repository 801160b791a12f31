"""A node that is to refuse loss does not start on logs that have lost records."""

from __future__ import annotations

import pytest

from moldau.broker.node.loss import LossRefusedError
from moldau.platform.ports.files import read_whole
from tests.broker.log.batches import batch
from tests.broker.node.simulated_node import run
from tests.broker.node.test_contradictory_directories import make_topics

LOG = "data/bad-0/00000000000000000000.log"
RECORDS = 20


async def leave_records(machine, *, clean):
    """Two topics with records; the node stopped in order, or its disk as a kill leaves it."""
    await make_topics(machine)
    node = machine.node(num_partitions=1)
    await node.start()
    await machine.tasks.sleep(1_000)
    for topic in ("bad", "good"):
        partition = node.broker.replicas.partition(topic, 0)
        for number in range(RECORDS):
            partition.append(batch(0, (b"%d" % number,), machine.clock.now_ms()))
    await machine.tasks.sleep(6_000)
    await node.stop()
    if not clean:
        machine.files.remove("data/.kafka_cleanshutdown")


def flip(position):
    def damage(files):
        file = files.open(LOG)
        (byte,) = file.read_at(file.size() + position, 1)
        file.write_at(file.size() + position, bytes([byte ^ 1]))
        file.close()

    return damage


def cut(files):
    file = files.open(LOG)
    file.truncate(file.size() // 2)
    file.close()


def tail(files):
    file = files.open(LOG)
    file.append(b"\0" * 50)
    file.close()


def tree(files, path="data"):
    found: dict[str, bytes] = {}
    for name in files.list(path):
        below = f"{path}/{name}"
        if name in files.list_directories(path):
            found |= tree(files, below)
        else:
            found[below] = read_whole(files, below)
    return found


async def start(machine, **settings):
    node = machine.node(num_partitions=1, **settings)
    try:
        await node.start()
        await machine.tasks.sleep(1_000)
        return node.broker.replicas.partition("bad", 0).log_end_offset
    finally:
        await node.stop()


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (flip(-1), "offsets 19 to 19: data/bad-0/0{20}.log at byte .* a batch fails its checksum"),
        (cut, "offsets 10 to 19: data/bad-0/0{20}.log "),
        (lambda files: files.remove(LOG), "offsets 0 to 19: data/bad-0/0{20}.log is missing"),
        (lambda files: files.remove_tree("data/bad-0"), "offsets 0 to 19: data/bad-0 is missing"),
    ],
)
def test_lost_records_stop_the_start_and_nothing_is_changed(clean, damage, reason):
    async def scenario(machine):
        await leave_records(machine, clean=clean)
        damage(machine.files)
        before = tree(machine.files)
        with pytest.raises(LossRefusedError, match=f"^bad-0 would lose {reason}") as caught:
            await start(machine, moldau_refuse_loss="true")
        assert tree(machine.files) == before
        return str(caught.value), await start(machine)

    sentence, end = run(scenario)
    assert "restore the file from a copy, or set moldau.refuse.loss=false" in sentence
    assert end < RECORDS


@pytest.mark.parametrize("damage", [lambda files: None, tail])
def test_where_nothing_is_lost_the_node_starts(damage):
    async def scenario(machine):
        await leave_records(machine, clean=False)
        damage(machine.files)
        return await start(machine, moldau_refuse_loss="true")

    assert run(scenario) == RECORDS
