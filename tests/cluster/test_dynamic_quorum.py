"""Who votes is changed while nodes run (KIP-853); Apache Kafka's own tool asks and judges."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.platform.system.files import SystemFiles
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import parse_uuid, uuid_text
from tests.cluster.asking import leaders, make_topic, until
from tests.cluster.nodes import APACHE, DISKS, OURS, Nodes
from tests.interop.differential.side import Side
from tests.judges.kafka_node import CLUSTER_ID
from tests.judges.kafka_tools import KafkaTools

pytestmark = [pytest.mark.judge, pytest.mark.timeout(200)]

ALONE_AND_JOINING = ("--standalone", "--no-initial-controllers", "--no-initial-controllers")
AUTO_JOIN = {"controller.quorum.auto.join.enable": "true"}


class Quorum:
    """What the tool for metadata quorums says of some nodes, and what it changes."""

    def __init__(self, nodes: Nodes, tools: KafkaTools) -> None:
        self.nodes, self.tools = nodes, tools

    def status(self) -> str:
        return self.tools.run("metadata-quorum", "describe --status")

    def voters(self) -> set[int]:
        return {int(number) for number in re.findall(r'"id": (\d+)', self.voter_line())}

    def voter_line(self) -> str:
        (line,) = re.findall(r"CurrentVoters: *(.*)", self.status())
        return str(line)

    def leader(self) -> int:
        return int(re.findall(r"LeaderId: *(\d+)", self.status())[0])

    def disk(self, node_id: int) -> str:
        return disk(self.nodes[node_id].data)

    def addition(self, node_id: int) -> str:
        return f"--command-config {self.nodes[node_id].settings_file} add-controller"

    def removal(self, node_id: int, directory: str | None = None) -> str:
        named = f"--controller-id {node_id}"
        directory = directory or self.disk(node_id)
        return f"remove-controller {named} --controller-directory-id {directory}"

    def change(self, words: str) -> None:
        self.tools.run("metadata-quorum", words)

    def has_added(self, node_id: int) -> bool:
        """A leader that is new adds a node only once it has seen it caught up, as Kafka's does."""
        self.tools.attempt("metadata-quorum", self.addition(node_id))
        return node_id in self.voters()

    def refusal(self, words: str) -> str:
        """The name of the error."""
        output = self.tools.refusal("metadata-quorum", words)
        return str(re.findall(r"errors\.(\w+)Exception", output)[-1])


def disk(data: Path) -> str:
    properties = read_meta_properties(SystemFiles(), str(data))
    assert properties is not None
    assert properties.directory_id is not None
    return uuid_text(properties.directory_id)


@pytest.fixture
def new_quorum(tmp_path, kafka_libs):
    """`new_quorum(…)` as `Nodes(…)`: its nodes are up, and a tool asks the first of them."""
    started: list[Nodes | KafkaTools] = []

    def make(**parts):
        nodes = Nodes(tmp_path, libs=kafka_libs, **parts)
        started.append(nodes)
        nodes.start()
        tools = KafkaTools(kafka_libs, tmp_path, nodes.bootstrap)
        started.append(tools)
        return Quorum(nodes, tools.__enter__())

    yield make
    for one in reversed(started):
        one.__exit__(None, None, None)


def test_controllers_are_added_and_removed_and_what_cannot_be_is_refused(new_quorum):
    quorum = new_quorum(dynamic=ALONE_AND_JOINING)
    assert quorum.voters() == {1}
    for node_id in (2, 3):
        quorum.change(quorum.addition(node_id))
    assert quorum.voters() == {1, 2, 3}
    assert quorum.refusal(quorum.addition(2)) == "DuplicateVoter"
    assert quorum.refusal(quorum.removal(2, DISKS[0])) == "VoterNotFound"
    quorum.change(quorum.removal(1))
    until(lambda: quorum.leader() in {2, 3})
    assert quorum.voters() == {2, 3}
    make_topic(quorum.nodes.bootstrap, "after", 3, 3)
    until(lambda: quorum.has_added(1))
    quorum.nodes[quorum.leader()].kill()
    until(lambda: leaders(quorum.nodes.bootstrap, "after"))


def test_a_controller_that_is_not_there_cannot_be_added(new_quorum):
    quorum = new_quorum(roles=["broker,controller", "controller"], dynamic=ALONE_AND_JOINING[:2])
    of, place = AddRaftVoterRequest, quorum.nodes.controller(2).split(":")
    asked = of(
        cluster_id=CLUSTER_ID,
        timeout_ms=1000,
        voter_id=2,
        voter_directory_id=parse_uuid(quorum.disk(2)),
        listeners=[of.Listener(name="CONTROLLER", host=place[0], port=int(place[1]))],
    )
    quorum.nodes[2].stop()
    side = Side("controller", int(quorum.nodes.controller(1).split(":")[1]))
    assert side.ask(asked, 1).error_code == ErrorCode.REQUEST_TIMED_OUT
    quorum.nodes[2].start()
    until(lambda: side.ask(asked, 1).error_code == ErrorCode.NONE)
    side.close()
    assert quorum.voters() == {1, 2}


def test_controllers_join_by_themselves_and_a_wiped_disk_comes_back_as_another(new_quorum):
    quorum = new_quorum(dynamic=ALONE_AND_JOINING, settings=AUTO_JOIN)
    until(lambda: quorum.voters() == {1, 2, 3})
    before = quorum.disk(3)
    quorum.nodes[3].kill()
    shutil.rmtree(quorum.nodes[3].data)
    quorum.nodes.change(3, OURS)
    assert quorum.disk(3) != before
    until(lambda: quorum.disk(3) in quorum.voter_line())
    assert quorum.voters() == {1, 2, 3}
    assert before not in quorum.voter_line()


@pytest.mark.long
@pytest.mark.parametrize("kinds", [(APACHE, OURS, OURS), (OURS, APACHE, APACHE)])
def test_controllers_join_leaders_of_the_other_kind(new_quorum, kinds):
    quorum = new_quorum(dynamic=ALONE_AND_JOINING, settings=AUTO_JOIN, kinds=kinds)
    until(lambda: quorum.voters() == {1, 2, 3})
    make_topic(quorum.nodes.bootstrap, "shared", 3, 3)


def test_the_first_voters_can_be_a_list(new_quorum):
    quorum = new_quorum(dynamic=("--initial-controllers {voters}",) * 3)
    assert quorum.voters() == {1, 2, 3}
    until(lambda: all(quorum.disk(node_id) in quorum.voter_line() for node_id in (1, 2, 3)))


@pytest.mark.long
def test_voters_of_the_configuration_get_into_the_log_while_they_run(new_quorum):
    quorum = new_quorum()

    def raised() -> bool:
        """A voter sends its disk some time after the leader was elected."""
        return not quorum.tools.ask("features", "upgrade --feature kraft.version=1")[0]

    until(raised)
    line = quorum.voter_line()
    assert all(quorum.disk(node_id) in line for node_id in (1, 2, 3))
    quorum.change(quorum.removal(3))
    assert quorum.voters() == {1, 2}
