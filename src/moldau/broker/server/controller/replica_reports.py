"""A broker's reports to the controller about its replicas: where they lie, and who is in sync.

Where they lie (AssignReplicasToDirs, KIP-858) is gathered while one question is under way, so that
a thousand new partitions are a few questions and not a thousand. It is asked again until it is
answered, or until the partition has gone.

Changes of the ISR are in `isr_reports`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from itertools import islice

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.metadata.cluster import BrokerState
from moldau.broker.replica.partition import Partition
from moldau.broker.server.broker import Broker
from moldau.broker.server.controller.isr_reports import IsrReports
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.assign_replicas_to_dirs import AssignReplicasToDirsRequest

__all__ = ["ReplicaReports", "may_lead"]

log = logging.getLogger(__name__)

ASSIGN_VERSION = 0
REPLICAS_MAX = 2_250
"""In one question, as in Kafka: about what fits 64 KiB."""
RETRY_MS = 100
ANY_EPOCH = -1

Replica = tuple[bytes, int]
Directory = AssignReplicasToDirsRequest.DirectoryData


class ReplicaReports:
    """One broker's reports; `listen` puts it into its replica manager."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._places: dict[Replica, bytes] = {}
        """What is still to be reported to the controller: the directory of each replica."""
        self._is_reporting = False

    def __repr__(self) -> str:
        return f"ReplicaReports({len(self._places)} places to report)"

    def listen(self) -> None:
        replicas = self._broker.replicas
        replicas.placed = self.placed
        replicas.proposed = IsrReports(self._broker).proposed
        replicas.may_lead = lambda broker_id, epoch: may_lead(
            self._broker.metadata.image.cluster.brokers, broker_id, epoch
        )

    # Where replicas lie.

    def placed(self, partition: Partition) -> None:
        """A partition is in this directory now."""
        directory_id = partition.directory.properties.directory_id
        if directory_id is None:
            return
        self._places[partition.topic_id, partition.index] = directory_id
        if not self._is_reporting:
            self._is_reporting = True
            self._broker.tasks.spawn("places of replicas", self._report_places())

    async def _report_places(self) -> None:
        while self._places:
            places = dict(islice(self._places.items(), REPLICAS_MAX))
            if not await self._send(places):
                await self._broker.tasks.sleep(RETRY_MS)
                self._forget_gone()
                continue
            for replica, directory_id in places.items():
                if self._places.get(replica) == directory_id:
                    del self._places[replica]
        self._is_reporting = False

    async def _send(self, places: Mapping[Replica, bytes]) -> bool:
        """Whether it was acknowledged; what the controller has no more counts as acknowledged."""
        broker = self._broker
        request = AssignReplicasToDirsRequest(
            broker_id=broker.node_id,
            broker_epoch=broker.epoch,
            directories=list(_by_directory(places)),
        )
        try:
            await broker.metadata.ask(request, ControllerCall(version=ASSIGN_VERSION))
        except KafkaError as error:
            log.info(
                "The controller did not take the places of %d replicas: %s", len(places), error
            )
            return False
        return True

    def _forget_gone(self) -> None:
        known = self._broker.metadata.image.topics.by_id
        for topic_id, index in list(self._places):
            if topic_id not in known or index not in known[topic_id].partitions:
                del self._places[topic_id, index]


def may_lead(brokers: Mapping[int, BrokerState], broker_id: int, broker_epoch: int) -> bool:
    """Whether a broker is alive, in the life in which it was seen."""
    state = brokers.get(broker_id)
    if state is None or state.fenced or state.in_controlled_shutdown:
        return False
    return broker_epoch in (ANY_EPOCH, state.epoch)


def _by_directory(places: Mapping[Replica, bytes]) -> Iterable[Directory]:
    found: dict[bytes, dict[bytes, list[int]]] = {}
    for (topic_id, index), directory_id in places.items():
        found.setdefault(directory_id, {}).setdefault(topic_id, []).append(index)
    for directory_id, topics in found.items():
        yield Directory(
            id=directory_id,
            topics=[
                Directory.TopicData(
                    topic_id=topic_id,
                    partitions=[
                        Directory.TopicData.PartitionData(partition_index=index)
                        for index in indexes
                    ],
                )
                for topic_id, indexes in topics.items()
            ],
        )
