"""The cluster at a glance: its brokers, its quorum, its directories, and what it runs.

Parts that the user may not see, or that an older cluster does not have, are missing with a
sentence each; the rest of the page is there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, Final

from moldau.client.admin import (
    ClusterView,
    ConfigResource,
    FeaturesView,
    QuorumReplica,
    QuorumView,
)
from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.programs.console.api.forms import broker_in_path
from moldau.programs.console.api.operations import Operation, Parameter
from moldau.programs.console.api.refusals import no_such
from moldau.programs.console.lookups.settings_shown import shown_settings
from moldau.programs.console.lookups.stored import Stored, StoredIn, stored
from moldau.programs.console.reach import Reach, sentence_of
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["Overview"]

SERVICE_UNAVAILABLE: Final = 503
FENCED: Final = (
    "Broker {} is fenced, and it alone has its settings: start it again, or look into its log for"
    " why its heartbeats do not reach the controllers."
)


class Overview:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        topic = Parameter("topic", "string", "draw the partitions of this topic")
        return [
            Operation("GET", "/api/cluster", self.cluster, "Brokers, quorum, features, disks"),
            Operation("GET", "/api/map", self.map, "Who leads and follows what", (topic,)),
            Operation("GET", "/api/brokers/{broker}/configs", self.configs, "Settings of a broker"),
        ]

    async def cluster(self, request: Request) -> Response:
        admin = self._reach.admin
        view = await admin.describe_cluster(fenced_brokers=True)
        quorum, quorum_error = await _maybe(admin.describe_metadata_quorum())
        features, features_error = await _maybe(admin.describe_features())
        live = [node.node_id for node in view.nodes if not node.is_fenced]
        found, dirs_error = await _maybe(stored(admin, live))
        dirs, dirs_error = found or Stored({}, dirs_error)
        return reply(
            {
                "cluster_id": view.cluster_id,
                "controller": view.controller_id,
                "brokers": _brokers(view, dirs),
                "quorum": None if quorum is None else _quorum(quorum),
                "quorum_error": sentence_of(quorum_error),
                "features": None if features is None else _features(features),
                "features_error": sentence_of(features_error),
                "log_dirs_error": sentence_of(dirs_error),
            }
        )

    async def map(self, request: Request) -> Response:
        """Small: a page asks for it again and again."""
        admin = self._reach.admin
        view = await admin.describe_cluster(fenced_brokers=True)
        quorum, _ = await _maybe(admin.describe_metadata_quorum())
        topic = request.one("topic")
        partitions = []
        if topic:
            found = await self._reach.topic(topic)
            partitions = [
                {
                    "partition": one.partition,
                    "leader": one.leader,
                    "epoch": one.leader_epoch,
                    "replicas": one.replicas,
                    "isr": one.isr,
                }
                for one in found.partitions
            ]
        return reply(
            {
                "time": self._reach.clock.now_ms(),
                "controller": view.controller_id,
                "brokers": [
                    {"id": one.node_id, "rack": one.rack, "is_fenced": one.is_fenced}
                    for one in sorted(view.nodes, key=lambda node: node.node_id)
                ],
                "quorum": None if quorum is None else _quorum(quorum),
                "partitions": partitions,
            }
        )

    async def configs(self, request: Request) -> Response:
        node = broker_in_path(request)
        await self._check_serves(node)
        resource = ConfigResource.broker(node)
        found = await self._reach.admin.describe_configs(resource, synonyms=True)
        return reply(shown_settings(found[resource]))

    async def _check_serves(self, broker: int) -> None:
        """Only a broker that runs can be asked for its settings."""
        view = await self._reach.admin.describe_cluster(fenced_brokers=True)
        found = next((node for node in view.nodes if node.node_id == broker), None)
        if found is None:
            raise no_such("broker", str(broker))
        if found.is_fenced:
            raise HttpError(SERVICE_UNAVAILABLE, FENCED.format(broker))


async def _maybe(call: Awaitable[Any]) -> tuple[Any, MoldauError | None]:
    """What it returns, or why there is nothing."""
    try:
        return await call, None
    except ClientError as error:
        return None, error


def _brokers(view: ClusterView, dirs: Mapping[int, Mapping[str, StoredIn]]) -> list[dict[str, Any]]:
    return [
        {
            "id": node.node_id,
            "host": node.host,
            "port": node.port,
            "rack": node.rack,
            "is_fenced": node.is_fenced,
            "is_controller": node.node_id == view.controller_id,
            "log_dirs": [_log_dir(path, one) for path, one in dirs.get(node.node_id, {}).items()],
        }
        for node in sorted(view.nodes, key=lambda node: node.node_id)
    ]


def _log_dir(path: str, one: StoredIn) -> dict[str, Any]:
    return {
        "path": path,
        "error": sentence_of(one.error),
        "replicas": one.replicas,
        "bytes": one.bytes_by_topic.total(),
        "total_bytes": one.total_bytes,
        "usable_bytes": one.usable_bytes,
        "largest": [
            {"topic": topic, "bytes": size} for topic, size in one.bytes_by_topic.most_common(5)
        ],
    }


def _quorum(view: QuorumView) -> dict[str, Any]:
    return {
        "leader": view.leader_id,
        "epoch": view.leader_epoch,
        "high_watermark": view.high_watermark,
        "voters": [_voter(one, view) for one in view.voters],
        "observers": [_voter(one, view) for one in view.observers],
    }


def _voter(one: QuorumReplica, view: QuorumView) -> dict[str, Any]:
    end = next((two.log_end_offset for two in view.voters if two.replica_id == view.leader_id), 0)
    return {
        "id": one.replica_id,
        "log_end_offset": one.log_end_offset,
        "lag": max(end - one.log_end_offset, 0),
        "last_fetch": one.last_fetch_ms,
        "last_caught_up": one.last_caught_up_ms,
    }


def _features(view: FeaturesView) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "level": view.finalized.get(name, 0),
            "min": versions.low,
            "max": versions.high,
        }
        for name, versions in sorted(view.supported.items())
    ]
