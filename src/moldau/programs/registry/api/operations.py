"""What each route of a registry is for, and what it takes: its OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.programs.http.accepting import accepting
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.openapi import NOTHING, Operation, document
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import MEDIA_TYPE, reply

__all__ = ["OPERATIONS", "with_document"]

PATH: Final = "/openapi.json"
ANSWERS: Final = (MEDIA_TYPE, "application/vnd.schemaregistry+json", "application/json")
OBJECT, ARRAY, TEXT, NUMBER = "object", "array", "string", "integer"
PAGE: Final = ("offset#", "limit#")
SCHEMA: Final = {
    "schema": TEXT,
    "schemaType": f"{TEXT}?",
    "references": f"{ARRAY}?",
    "metadata": f"{OBJECT}?",
    "ruleSet": f"{OBJECT}?",
}
SCHEMA_TAGS: Final = {
    "schemaTagsToAdd": "array?",
    "schemaTagsToRemove": "array?",
    "propagateSchemaTags": "boolean?",
}
FOUND: Final = ("format", "findTags", "referenceFormat")
SETTINGS: Final = {
    "compatibility": f"{TEXT}?",
    "normalize": "boolean?",
    "alias": f"{TEXT}?",
    "compatibilityGroup": f"{TEXT}?",
}
SUBJECT: Final = "/subjects/{subject}"
VERSION: Final = f"{SUBJECT}/versions/{{version}}"
BY_ID: Final = "/schemas/ids/{id}"
CHECK: Final = "/compatibility/subjects/{subject}/versions"
KEKS: Final = "/dek-registry/v1/keks"
KEK: Final = f"{KEKS}/{{name}}"
DEK: Final = f"{KEK}/deks/{{subject}}"
DEK_VERSION: Final = f"{DEK}/versions/{{version}}"
KEK_CHANGES: Final = {"kmsProps": f"{OBJECT}?", "doc": f"{TEXT}?", "shared": "boolean?"}
KEK_FIELDS: Final = {"name": TEXT, "kmsType": TEXT, "kmsKeyId": TEXT, **KEK_CHANGES}
DEK_FIELDS: Final = {
    "subject": TEXT,
    "version": f"{NUMBER}?",
    "algorithm": f"{TEXT}?",
    "encryptedKeyMaterial": f"{TEXT}?",
}
BY_SUBJECT: Final = "/associations/subjects/{subject}"
RESOURCES: Final = "/associations/resources"
FITTING: Final = ("resourceType", "associationType", "lifecycle", *PAGE)
RESOURCE: Final = {
    "resourceName": TEXT,
    "resourceNamespace": TEXT,
    "resourceId": f"{TEXT}?",
    "resourceType": f"{TEXT}?",
    "associations": ARRAY,
}
OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/"): Operation("That a registry is here", OBJECT),
    ("POST", "/"): Operation("The same", OBJECT),
    ("GET", "/contexts"): Operation("Contexts", ARRAY, ("contextPrefix", *PAGE)),
    ("DELETE", "/contexts/{context}"): Operation("Delete an empty context", NOTHING),
    ("GET", "/v1/metadata/id"): Operation("The cluster", OBJECT),
    ("GET", "/v1/metadata/version"): Operation("The version of the program", OBJECT),
    ("GET", "/v1/metadata/deployment"): Operation("Attributes of its deployment", OBJECT),
    ("GET", "/subjects"): Operation(
        "Subjects", ARRAY, ("subjectPrefix", "deleted?", "deletedOnly?", *PAGE)
    ),
    ("POST", SUBJECT): Operation(
        "The version that has a schema", OBJECT, ("normalize?", "deleted?", "format"), SCHEMA
    ),
    ("DELETE", SUBJECT): Operation("Delete a subject", ARRAY, ("permanent?",)),
    ("GET", f"{SUBJECT}/metadata"): Operation(
        "The latest version with properties", OBJECT, ("key", "value", "deleted?", "format")
    ),
    ("GET", f"{SUBJECT}/versions"): Operation(
        "Versions", ARRAY, ("deleted?", "deletedOnly?", "deletedAsNegative?", *PAGE)
    ),
    ("POST", f"{SUBJECT}/versions"): Operation(
        "Register a schema",
        OBJECT,
        ("normalize?", "force?", "format"),
        {
            **SCHEMA,
            "schema": f"{TEXT}?",
            "id": "integer?",
            "version": "integer?",
            **SCHEMA_TAGS,
        },
    ),
    ("GET", VERSION): Operation("A version", OBJECT, ("deleted?", *FOUND)),
    ("DELETE", VERSION): Operation("Delete a version", NUMBER, ("permanent?",)),
    ("GET", f"{VERSION}/schema"): Operation("Its text", "", ("deleted?", "format")),
    ("GET", f"{VERSION}/referencedby"): Operation("What refers to it", ARRAY, ("deleted?", *PAGE)),
    ("POST", f"{VERSION}/tags"): Operation(
        "Add and remove tags",
        OBJECT,
        (),
        {
            "newVersion": f"{NUMBER}?",
            "tagsToAdd": f"{ARRAY}?",
            "tagsToRemove": f"{ARRAY}?",
            "metadata": f"{OBJECT}?",
            "ruleSet": f"{OBJECT}?",
            "rulesToMerge": f"{OBJECT}?",
            "rulesToRemove": f"{ARRAY}?",
        },
    ),
    ("GET", "/schemas"): Operation(
        "Schemas",
        ARRAY,
        ("subjectPrefix", "deleted?", "latestOnly?", "aliases?", "ruleType", *FITTING),
    ),
    ("GET", "/schemas/types"): Operation("Types of schemas", ARRAY),
    ("GET", BY_ID): Operation("A schema by its id", OBJECT, ("subject", "fetchMaxId?", *FOUND)),
    ("GET", f"{BY_ID}/schema"): Operation("Its text", "", ("subject", "format")),
    ("GET", f"{BY_ID}/subjects"): Operation("Its subjects", ARRAY, ("subject", "deleted?", *PAGE)),
    ("GET", f"{BY_ID}/versions"): Operation("Its versions", ARRAY, ("subject", "deleted?", *PAGE)),
    ("GET", "/schemas/guids/{guid}"): Operation("A schema by its GUID", OBJECT, ("format",)),
    ("GET", "/schemas/guids/{guid}/ids"): Operation("Its ids", ARRAY),
    ("GET", BY_SUBJECT): Operation("The topics that have a subject", ARRAY, FITTING),
    ("GET", f"{RESOURCES}/{{resourceNamespace}}/{{resourceName}}"): Operation(
        "The subjects of a topic", ARRAY, FITTING
    ),
    ("GET", f"{RESOURCES}/{{resourceId}}"): Operation("The same by its id", ARRAY, FITTING),
    ("POST", "/associations"): Operation(
        "Give a topic subjects", OBJECT, ("context", "dryRun?"), RESOURCE
    ),
    ("PUT", f"{RESOURCES}/{{resourceId}}"): Operation(
        "Give it others", OBJECT, ("context", "dryRun?"), RESOURCE
    ),
    ("DELETE", f"{RESOURCES}/{{resourceId}}"): Operation(
        "Take them away",
        NOTHING,
        ("resourceType", "associationType", "cascadeLifecycle?", "dryRun?"),
    ),
    ("POST", "/associations:batchGet"): Operation(
        "The subjects of several", OBJECT, ("includeSchemas?",), {"requests": ARRAY}, status=207
    ),
    ("POST", "/associations:batchMutate"): Operation(
        "Change those of several", OBJECT, ("context", "dryRun?"), {"requests": ARRAY}, status=207
    ),
    ("POST", CHECK): Operation(
        "Whether a schema may follow", OBJECT, ("normalize?", "verbose?"), SCHEMA
    ),
    ("POST", f"{CHECK}/{{version}}"): Operation(
        "Whether a schema may follow one version", OBJECT, ("normalize?", "verbose?"), SCHEMA
    ),
    ("GET", "/config"): Operation("The level of all", OBJECT, ("defaultToGlobal?",)),
    ("PUT", "/config"): Operation("Set it", OBJECT, (), SETTINGS),
    ("DELETE", "/config"): Operation("Set it back", OBJECT),
    ("GET", "/config/{subject}"): Operation("A subject's level", OBJECT, ("defaultToGlobal?",)),
    ("PUT", "/config/{subject}"): Operation("Set it", OBJECT, (), SETTINGS),
    ("DELETE", "/config/{subject}"): Operation("Set it back", OBJECT),
    ("GET", "/mode"): Operation("The mode of all", OBJECT, ("defaultToGlobal?",)),
    ("PUT", "/mode"): Operation("Set it", OBJECT, ("force?",), {"mode": TEXT}),
    ("DELETE", "/mode"): Operation("Set it back", OBJECT, ("recursive?",)),
    ("GET", "/mode/{subject}"): Operation("A subject's mode", OBJECT, ("defaultToGlobal?",)),
    ("PUT", "/mode/{subject}"): Operation("Set it", OBJECT, ("force?",), {"mode": TEXT}),
    ("DELETE", "/mode/{subject}"): Operation("Set it back", OBJECT, ("recursive?",)),
    ("GET", KEKS): Operation("Key encryption keys", ARRAY, ("subjectPrefix", "deleted?", *PAGE)),
    ("POST", KEKS): Operation("Register one", OBJECT, ("testSharing?",), KEK_FIELDS),
    ("GET", KEK): Operation("One of them", OBJECT, ("deleted?",)),
    ("PUT", KEK): Operation("Change its properties", OBJECT, ("testSharing?",), KEK_CHANGES),
    ("DELETE", KEK): Operation("Delete it", NOTHING, ("permanent?",)),
    ("POST", f"{KEK}/undelete"): Operation("Undelete it", NOTHING),
    ("POST", f"{KEK}/test"): Operation("Whether the registry can use it", OBJECT),
    ("GET", f"{KEK}/deks"): Operation("Subjects with keys", ARRAY, ("deleted?", *PAGE)),
    ("POST", f"{KEK}/deks"): Operation("Register a key", OBJECT, (), DEK_FIELDS),
    ("GET", DEK): Operation("A subject's first key", OBJECT, ("algorithm", "deleted?")),
    ("POST", DEK): Operation(
        "Register a key", OBJECT, ("rewrap?",), {**DEK_FIELDS, "subject": f"{TEXT}?"}
    ),
    ("DELETE", DEK): Operation("Delete all versions", NOTHING, ("algorithm", "permanent?")),
    ("POST", f"{DEK}/undelete"): Operation("Undelete them", NOTHING, ("algorithm",)),
    ("GET", f"{DEK}/versions"): Operation("Versions", ARRAY, ("algorithm", "deleted?", *PAGE)),
    ("GET", DEK_VERSION): Operation("A version", OBJECT, ("algorithm", "deleted?")),
    ("DELETE", DEK_VERSION): Operation("Delete it", NOTHING, ("algorithm", "permanent?")),
    ("POST", f"{DEK_VERSION}/undelete"): Operation("Undelete it", NOTHING, ("algorithm",)),
}
"""All but contexts, which have each of their paths below `/contexts/{context}` again."""


def with_document(routes: list[Route]) -> list[Route]:
    """These, and the document of all but those of contexts."""
    own = [_accepting(one) for one in routes]
    described = [one for one in routes if (one.method, one.pattern) in OPERATIONS]
    found: dict[str, Any] = document("Moldau schema registry", MEDIA_TYPE, described, OPERATIONS)

    def answer(_request: Request) -> Response:
        return reply(found)

    return [*own, Route("GET", PATH, answer)]


def _accepting(route: Route) -> Route:
    """For those who take JSON; the text of a schema alone may be another."""
    return route if route.pattern.endswith("/schema") else accepting(route, ANSWERS)
