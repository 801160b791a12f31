"""All routes; those of schemas work below `/contexts/{context}` too."""

from __future__ import annotations

from moldau.programs.http.routes import Route
from moldau.programs.registry.api.associations import AssociationRoutes
from moldau.programs.registry.api.compatibility import CompatibilityRoutes
from moldau.programs.registry.api.general import GeneralRoutes
from moldau.programs.registry.api.keys import KeyRoutes
from moldau.programs.registry.api.operations import with_document
from moldau.programs.registry.api.schemas import SchemaRoutes
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.api.settings import SettingRoutes
from moldau.programs.registry.api.subjects import SubjectRoutes
from moldau.programs.registry.api.versions import VersionRoutes
from moldau.programs.registry.keys.store import Keys

__all__ = ["registry_routes"]


def registry_routes(scope: Scope, keys: Keys, cluster_id: str, group: str) -> list[Route]:
    of_contexts = [
        *SubjectRoutes(scope).routes(),
        *VersionRoutes(scope).routes(),
        *SchemaRoutes(scope).routes(),
        *CompatibilityRoutes(scope).routes(),
        *SettingRoutes(scope).routes(),
    ]
    below = [
        Route(method, f"/contexts/{{context}}{pattern}", handler)
        for method, pattern, handler in of_contexts
    ]
    general = GeneralRoutes(scope, cluster_id, group).routes()
    return with_document(
        [
            *general,
            *of_contexts,
            *below,
            *KeyRoutes(scope, keys).routes(),
            *AssociationRoutes(scope, scope.random).routes(),
        ]
    )
