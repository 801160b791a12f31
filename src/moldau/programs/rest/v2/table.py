"""All routes of version 2."""

from __future__ import annotations

from moldau.programs.http.routes import Route
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v2.consumers import ConsumerRoutes
from moldau.programs.rest.v2.homes import Homes
from moldau.programs.rest.v2.instances import Instances
from moldau.programs.rest.v2.produce import ProduceRoutes
from moldau.programs.rest.v2.topics import TopicRoutes

__all__ = ["v2_routes"]


def v2_routes(
    scope: Scope, instances: Instances, homes: Homes | None = None, user: str = ""
) -> list[Route]:
    return [
        *TopicRoutes(scope).routes(),
        *ProduceRoutes(scope).routes(),
        *ConsumerRoutes(scope, instances, homes, user).routes(),
    ]
