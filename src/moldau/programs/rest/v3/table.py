"""All routes of version 3."""

from __future__ import annotations

from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.routes import Route
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.acls import AclRoutes
from moldau.programs.rest.v3.clusters import ClusterRoutes
from moldau.programs.rest.v3.configs import ConfigRoutes
from moldau.programs.rest.v3.events import EventRoutes
from moldau.programs.rest.v3.groups import GroupRoutes
from moldau.programs.rest.v3.lags import LagRoutes
from moldau.programs.rest.v3.partitions import PartitionRoutes
from moldau.programs.rest.v3.produce import ProduceRoutes
from moldau.programs.rest.v3.records import RecordRoutes
from moldau.programs.rest.v3.sockets import SocketRoutes
from moldau.programs.rest.v3.topics import TopicRoutes

__all__ = ["v3_routes"]


def v3_routes(scope: Scope, tasks: Tasks) -> list[Route]:
    return [
        *ClusterRoutes(scope).routes(),
        *TopicRoutes(scope).routes(),
        *PartitionRoutes(scope).routes(),
        *ConfigRoutes(scope).routes(),
        *GroupRoutes(scope).routes(),
        *LagRoutes(scope).routes(),
        *AclRoutes(scope).routes(),
        *ProduceRoutes(scope).routes(),
        *RecordRoutes(scope).routes(),
        *EventRoutes(scope, tasks).routes(),
        *SocketRoutes(scope, tasks).routes(),
    ]
