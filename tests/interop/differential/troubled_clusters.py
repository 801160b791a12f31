"""Two clusters to which the same happens: nodes of both stop, die, stand still and come back.

    troubled.both(1, dialogue)     what each answers through its node 1 is compared
    troubled.stop(3)               in both; `kill`, `pause`, `resume`, `start` as well

What an answer holds only by chance is taken out: ids of topics, and the order of replicas in sync.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from moldau.protocol.messages.topic.describe_topic_partitions import DescribeTopicPartitionsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.cluster.nodes import Node, Nodes
from tests.interop.differential.aliases import resolved
from tests.interop.differential.dialogues import Dialogue, Step, ask_both, codes_of
from tests.interop.differential.running import Outcome
from tests.interop.differential.side import ClosedError, Side, SilentError

NAMES = ("ours", "kafka")
PATIENCE_S = 60
POLL_S = 0.1
METADATA_VERSION = 12


class TroubledClusters:
    """Ours, and Apache Kafka's."""

    def __init__(self, ours: Nodes, theirs: Nodes) -> None:
        self._clusters = (ours, theirs)
        self._ids: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
        self._outcome = Outcome()

    def __repr__(self) -> str:
        return f"TroubledClusters({self._clusters})"

    def both(self, node_id: int, dialogue: Dialogue) -> None:
        """Hold it with this node of each."""
        ours, theirs = self._sides(node_id)
        for step in dialogue:
            ask_both(ours, theirs, step, self._outcome)
        ours.close()
        theirs.close()

    def until(self, node_id: int, step: Step) -> None:
        """Ask each until `step.until` holds, which takes one of them some seconds; then compare."""
        for side in self._sides(node_id):
            _wait_for(side, step)
            side.close()
        self.both(node_id, iter([step]))

    def learn(self, name: str, values: Sequence[Any]) -> None:
        """What this name stands for on each side."""
        for ids, value in zip(self._ids, values, strict=True):
            ids[name] = value

    def verdict(self) -> Outcome:
        """Of all since the last one."""
        outcome, self._outcome = self._outcome, Outcome()
        return outcome

    def stop(self, *node_ids: int) -> None:
        self._each(node_ids, lambda node: node.stop())

    def kill(self, *node_ids: int) -> None:
        self._each(node_ids, lambda node: node.kill())

    def pause(self, *node_ids: int) -> None:
        self._each(node_ids, lambda node: node.pause())

    def resume(self, *node_ids: int) -> None:
        self._each(node_ids, lambda node: node.resume())

    def start(self, *node_ids: int) -> None:
        """Those that are down."""
        down = [nodes[one] for one in node_ids for nodes in self._clusters if not nodes[one].is_up]
        for node in down:
            node.begin()
        for node in down:
            node.wait_ready()

    def nodes(self, node_id: int) -> tuple[Node, Node]:
        ours, theirs = (nodes[node_id] for nodes in self._clusters)
        return ours, theirs

    def _each(self, node_ids: tuple[int, ...], act: Callable[[Node], object]) -> None:
        for node_id in node_ids:
            for node in self.nodes(node_id):
                act(node)

    def _sides(self, node_id: int) -> tuple[Side, Side]:
        ours, theirs = (
            Side(name, node.client_port, ids)
            for name, node, ids in zip(NAMES, self.nodes(node_id), self._ids, strict=True)
        )
        return ours, theirs


def _wait_for(side: Side, step: Step) -> None:
    deadline = time.monotonic() + PATIENCE_S
    answer: Any = None
    while time.monotonic() < deadline:
        try:
            answer = side.ask(resolved(step.request, side), step.version)
        except (ClosedError, SilentError) as error:
            answer = error
        else:
            if step.until(answer):
                return
        time.sleep(POLL_S)
    raise AssertionError(f"{side.name} does not come to it: {answer}")


def described(*names: str, until: Callable[[Any], bool] = lambda part: True) -> Step:
    """Leaders, replicas in sync and eligible ones, once each partition fits."""
    of = DescribeTopicPartitionsRequest
    request = of(topics=[of.TopicRequest(name=name) for name in names])
    return Step(request, 0, until=lambda answer: _all_fit(answer, until), shows=_without_chance)


def seen(*names: str, until: Callable[[Any], bool] = lambda part: True) -> Step:
    """The same as clients see it."""
    of = MetadataRequest.MetadataRequestTopic
    request = MetadataRequest(
        topics=[of(name=name) for name in names], allow_auto_topic_creation=False
    )
    return Step(
        request,
        METADATA_VERSION,
        until=lambda answer: _all_fit(answer, until),
        shows=lambda tree: _without_chance({"topics": tree["topics"]}),
    )


def _all_fit(answer: Any, fits: Callable[[Any], bool]) -> bool:
    parts = [part for topic in answer.topics for part in topic.partitions]
    return (
        bool(parts)
        and ErrorCode.UNKNOWN_TOPIC_OR_PARTITION not in codes_of(answer)
        and all(map(fits, parts))
    )


def is_whole(part: Any) -> bool:
    """All replicas are in sync, and one leads."""
    return bool(part.leader_id >= 0 and len(part.isr_nodes) == len(part.replica_nodes))


def is_led_by(node_id: int) -> Callable[[Any], bool]:
    return lambda part: bool(part.leader_id == node_id)


def is_without(node_id: int) -> Callable[[Any], bool]:
    """It is not in sync, and leads nothing."""
    return lambda part: part.leader_id != node_id and node_id not in part.isr_nodes


def _without_chance(tree: Any) -> Any:
    for topic in tree["topics"]:
        topic.pop("topic_id", None)
        for part in topic["partitions"]:
            for field in ("isr_nodes", "eligible_leader_replicas", "last_known_elr"):
                part[field] = sorted(part.get(field) or [])
    return tree
