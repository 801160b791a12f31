"""What a request asks for, for one resource; 42212 for what no request may ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.associations.records import STRONG, WEAK, Resource
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = [
    "KINDS",
    "TOPIC",
    "Asked",
    "Change",
    "change_of",
    "checked",
    "default_subject",
    "invalid",
    "resource_of",
    "unlike",
    "with_defaults",
]

TOPIC: Final = "topic"
"""The only type of resource that there is."""
KINDS: Final = ("key", "value")
NAME_MAX: Final = 256
NAME_SIGNS: Final = "_-"
WORDS: Final[Mapping[type, str]] = {str: "text", bool: "true or false", dict: "an object"}


@dataclass(frozen=True, slots=True)
class Asked:
    """One association, as far as the request determines it."""

    kind: str
    subject: str | None = None
    lifecycle: str | None = None
    is_frozen: bool | None = None
    schema: Mapping[str, Any] | None = None
    """To be registered with it."""
    normalize: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """Of one resource, as a unit."""

    resource: Resource
    """Its id may be empty where nothing is written."""
    asked: tuple[Asked, ...]
    is_new: bool
    """Nothing that is there is changed."""


def invalid(name: str, detail: str) -> HttpError:
    text = f"The association specified an invalid value for property: '{name}', detail: {detail}"
    return refuse(Refusal.INVALID_ASSOCIATION, text)


def default_subject(resource: Resource, kind: str) -> str:
    """The one that only a strong association has."""
    return f":.{resource.namespace}:{resource.name}-{kind}"


def change_of(body: Mapping[str, Any], *, is_new: bool, is_dry: bool) -> Change:
    resource = resource_of(body, is_dry=is_dry)
    given = body.get("associations")
    if not isinstance(given, list) or not given:
        raise invalid("associations", "cannot be null or empty")
    asked = [checked(resource, one, is_new=is_new) for one in given]
    for index, one in enumerate(asked):
        if any(one.kind == other.kind for other in asked[:index]):
            text = f"may only appear once per request, but '{one.kind}' appears more than once"
            raise invalid("associationType", text)
    return Change(resource, tuple(asked), is_new)


def resource_of(body: Mapping[str, Any], *, is_dry: bool) -> Resource:
    name, namespace = _name(body, "resourceName"), _name(body, "resourceNamespace")
    resource_id = _part(body, "resourceId", str) or ""
    if not resource_id and not is_dry:
        raise invalid("resourceId", "cannot be null or empty")
    resource_type = _part(body, "resourceType", str) or TOPIC
    if resource_type != TOPIC:
        raise invalid("resourceType", f"must be '{TOPIC}'")
    return Resource(name, namespace, resource_id, resource_type)


def checked(resource: Resource, given: object, *, is_new: bool) -> Asked:
    """One of the list; of a new association all is known, of another what is to change."""
    if not isinstance(given, dict):
        raise invalid("associations", "is a list of objects")
    one = Asked(
        _part(given, "associationType", str) or KINDS[1],
        _subject(given),
        _part(given, "lifecycle", str),
        _part(given, "frozen", bool),
        _part(given, "schema", dict),
        bool(_part(given, "normalize", bool)),
    )
    if one.kind not in KINDS:
        raise invalid("associationType", "must be either 'key' or 'value'")
    if one.lifecycle not in (None, STRONG, WEAK):
        raise invalid("lifecycle", f"must be either '{STRONG}' or '{WEAK}'")
    if is_new:
        one = with_defaults(one, is_new=True)
    _check_weak(one, is_new=is_new)
    return _with_subject(resource, one) if is_new else one


def with_defaults(one: Asked, *, is_new: bool) -> Asked:
    """Of an association that is not there yet: with a schema it is strong, and so frozen."""
    if one.schema is not None:
        _check_schema(one, is_new=is_new)
        one = replace(one, lifecycle=STRONG)
    elif one.lifecycle is None:
        one = replace(one, lifecycle=WEAK)
    is_frozen = one.lifecycle == STRONG
    if one.is_frozen not in (None, is_frozen):
        raise unlike(one.lifecycle, is_frozen=not is_frozen)
    return replace(one, is_frozen=is_frozen)


def unlike(lifecycle: str | None, *, is_frozen: bool) -> HttpError:
    """What is strong is frozen, and what is weak is not."""
    shown = str(is_frozen).lower()
    return invalid("frozen", f"association with lifecycle of {lifecycle} cannot be frozen={shown}")


def _check_schema(one: Asked, *, is_new: bool) -> None:
    if not is_new:
        raise invalid(
            "schema",
            "cannot be provided when adding an association to an existing topic; "
            "an association with a schema must be created with the topic",
        )
    if one.lifecycle == WEAK:
        raise invalid("lifecycle", "cannot be WEAK when schema is provided")
    if one.is_frozen is False:
        raise invalid("frozen", "cannot be false when a schema is provided")


def _check_weak(one: Asked, *, is_new: bool) -> None:
    if one.lifecycle != WEAK:
        return
    if one.schema is not None:
        raise invalid("lifecycle", "cannot be WEAK when schema is provided")
    if one.is_frozen:
        raise invalid("frozen", "association with lifecycle of WEAK cannot be frozen")
    if is_new and one.subject is None:
        raise invalid("subject", "must be provided for WEAK associations")


def _with_subject(resource: Resource, one: Asked) -> Asked:
    default = default_subject(resource, one.kind)
    if one.is_frozen and one.subject not in (None, default):
        raise invalid("subject", f"frozen associations must use subject '{default}'")
    if one.lifecycle == WEAK and one.subject == default:
        raise invalid("subject", f"WEAK associations cannot use subject '{default}'")
    return replace(one, subject=one.subject or default)


def _name(body: Mapping[str, Any], name: str) -> str:
    text: str = _part(body, name, str) or ""
    if not text:
        raise invalid(name, "cannot be null or empty")
    if len(text) > NAME_MAX:
        raise invalid(name, f"exceeds max length of {NAME_MAX}")
    for sign in text:
        if not (sign.isalnum() or sign in NAME_SIGNS):
            raise invalid(name, f"illegal character '{sign}'")
    return text


def _subject(given: Mapping[str, Any]) -> str | None:
    text = _part(given, "subject", str)
    if text is not None and (not text or any(ord(sign) < ord(" ") for sign in text)):
        raise invalid("subject", "must not be empty")
    return text


def _part(given: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401
    value = given.get(name)
    if value is not None and not isinstance(value, kind):
        raise invalid(name, f"has to be {WORDS[kind]}")
    return value
