"""Tags of records and fields: found in a schema's text, added to it and taken from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from moldau.programs.http.messages import Request
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.schemas.inline_tags import Place, has_inline_tags, inline_tags, retagged
from moldau.schemas.model import InvalidSchemaError, JsonObject, SchemaText

__all__ = ["KEEPS_TAGS", "REGISTERED", "found_tags", "with_tags", "with_tags_of"]

OF_VERSION: Final = ("tagsToAdd", "tagsToRemove")
REGISTERED: Final = ("schemaTagsToAdd", "schemaTagsToRemove")
"""What a body calls them that brings a schema."""
KEEPS_TAGS: Final = "propagateSchemaTags"
"""Of a body that brings a schema: whether it has the tags of the version before it."""
ANY: Final = "*"


def found_tags(schema: SchemaText, request: Request) -> JsonObject:
    """Where the tags of the query are, or with `*` any: nothing where none is asked for."""
    wanted = request.query.get("findTags")
    if not wanted or not has_inline_tags(schema.kind):
        return {}
    found = [
        {"schemaEntity": {"entityPath": place.path, "entityType": place.kind}, "tags": tags}
        for place, tags in inline_tags(schema.kind, schema.text).items()
        if ANY in wanted or not set(wanted).isdisjoint(tags)
    ]
    return {"schemaTags": found}


def with_tags(
    schema: SchemaText, body: Mapping[str, Any], names: tuple[str, str] = OF_VERSION
) -> SchemaText:
    """As the body asks; those of Protobuf are kept beside the text, in the metadata."""
    added, removed = (_changes(body, name) for name in names)
    if not added and not removed:
        return schema
    if not has_inline_tags(schema.kind):
        return _with_metadata(schema, added, removed)
    return _retagged(schema, added, removed)


def with_tags_of(schema: SchemaText, former: SchemaText) -> SchemaText:
    """With the tags of the version before it; each of their places has to be in it."""
    if schema.kind != former.kind or not has_inline_tags(schema.kind):
        return schema
    added = inline_tags(former.kind, former.text).items()
    return _retagged(schema, added, ()) if added else schema


Tags = Iterable[tuple[Place, Sequence[str]]]
Changes = list[tuple[Place, list[str]]]


def _retagged(schema: SchemaText, added: Tags, removed: Tags) -> SchemaText:
    try:
        return replace(schema, text=retagged(schema.kind, schema.text, added, removed))
    except (InvalidSchemaError, ValueError) as error:
        raise refuse(Refusal.INVALID_SCHEMA, f"Invalid schema: {error}") from None


def _with_metadata(schema: SchemaText, added: Changes, removed: Changes) -> SchemaText:
    metadata = dict(schema.metadata or {})
    tags = {path: list(names) for path, names in (metadata.get("tags") or {}).items()}
    for place, names in added:
        path = place.path.removeprefix(".")
        tags[path] = [*dict.fromkeys([*tags.get(path, ()), *names])]
    for place, names in removed:
        path = place.path.removeprefix(".")
        tags[path] = [name for name in tags.get(path, ()) if name not in names]
    metadata["tags"] = {path: names for path, names in tags.items() if names}
    return replace(schema, metadata=metadata)


def _changes(body: Mapping[str, Any], name: str) -> Changes:
    try:
        return [
            (
                Place(one["schemaEntity"]["entityType"], str(one["schemaEntity"]["entityPath"])),
                [str(tag) for tag in one["tags"]],
            )
            for one in body.get(name) or ()
        ]
    except (KeyError, TypeError):
        text = f"{name} has to have a schemaEntity with its entityType and entityPath, and tags"
        raise refuse(Refusal.INVALID_SCHEMA, text) from None
