"""What an API server keeps: objects in namespaces, and what has happened to them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import UTC, datetime
from threading import Condition
from typing import Any

Object = dict[str, Any]


class Refused(Exception):
    """What the API says no to, and how."""

    def __init__(self, code: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.status = {
            "apiVersion": "v1",
            "kind": "Status",
            "metadata": {},
            "status": "Failure",
            "message": message,
            "reason": reason,
            "code": code,
        }


class Objects:
    """Every change has a version, and a watch has all after the one that it names."""

    def __init__(self) -> None:
        self.changed = Condition()
        self._kept: dict[tuple[str, str, str], Object] = {}
        self._history: list[tuple[int, str, str, Object]] = []
        self._version = 0
        self._open = True

    def close(self) -> None:
        with self.changed:
            self._open = False
            self.changed.notify_all()

    def add(self, resource: str, namespace: str, given: Object) -> Object:
        made = deepcopy(given)
        meta = made["metadata"]
        meta |= {"namespace": namespace, "uid": str(uuid.uuid4()), "creationTimestamp": now()}
        key = (resource, namespace, meta["name"])
        if resource == "pods":
            made["status"] = {"phase": "Pending"}
        with self.changed:
            if key in self._kept:
                raise Refused(409, "AlreadyExists", f'{resource} "{meta["name"]}" already exists')
            return self._note("ADDED", resource, made)

    def get(self, resource: str, namespace: str, name: str) -> Object:
        with self.changed:
            found = self._kept.get((resource, namespace, name))
        if found is None:
            raise Refused(404, "NotFound", f'{resource} "{name}" not found')
        return deepcopy(found)

    def replace(self, resource: str, made: Object) -> Object:
        with self.changed:
            if key_of(resource, made) not in self._kept:
                raise Refused(404, "NotFound", f"{resource} not found")
            return self._note("MODIFIED", resource, made)

    def remove(self, resource: str, gone: Object) -> None:
        with self.changed:
            kept = self._kept.get(key_of(resource, gone))
            if kept is not None and kept["metadata"]["uid"] == gone["metadata"]["uid"]:
                self._note("DELETED", resource, kept)

    def _note(self, deed: str, resource: str, given: Object) -> Object:
        made = deepcopy(given)
        self._version += 1
        made["metadata"]["resourceVersion"] = str(self._version)
        if deed == "DELETED":
            del self._kept[key_of(resource, made)]
        else:
            self._kept[key_of(resource, made)] = made
        self._history.append((self._version, deed, resource, made))
        self.changed.notify_all()
        return deepcopy(made)

    def select(
        self, resource: str, namespace: str, query: Mapping[str, str]
    ) -> tuple[list[Object], int]:
        """Those that the labels select, and the version at which that is so."""
        with self.changed:
            kept = [deepcopy(one) for key, one in self._kept.items() if key[0] == resource]
            version = self._version
        return [one for one in kept if selects(query, namespace, one)], version

    def changes(
        self, resource: str, namespace: str, query: Mapping[str, str]
    ) -> Iterator[dict[str, Any]]:
        """From the version that is asked for; from what there is, if none is."""
        seen = int(query.get("resourceVersion") or 0)
        if not seen:
            found, seen = self.select(resource, namespace, query)
            yield from ({"type": "ADDED", "object": one} for one in found)
        while True:
            with self.changed:
                while self._open and self._version == seen:
                    self.changed.wait()
                if not self._open:
                    return
                fresh = [entry for entry in self._history if entry[0] > seen]
                seen = self._version
            for _, deed, about, made in fresh:
                if about == resource and selects(query, namespace, made):
                    yield {"type": deed, "object": made}


def key_of(resource: str, made: Object) -> tuple[str, str, str]:
    return resource, made["metadata"]["namespace"], made["metadata"]["name"]


def selects(query: Mapping[str, str], namespace: str, made: Object) -> bool:
    """Labels by `name=value`, `name!=value`, `name in (…)`, `name` and `!name`; fields by name."""
    meta = made["metadata"]
    labels = meta.get("labels") or {}
    fields = {"metadata.name": meta["name"], "metadata.namespace": meta["namespace"]}
    terms = [(labels, term) for term in split(query.get("labelSelector", ""))]
    terms += [(fields, term) for term in split(query.get("fieldSelector", ""))]
    return meta["namespace"] == namespace and all(agrees(term, of) for of, term in terms)


def split(selector: str) -> list[str]:
    """At commas that stand in no parentheses."""
    terms, depth = [""], 0
    for character in selector:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            terms.append("")
        else:
            terms[-1] += character
    return [term.strip() for term in terms if term.strip()]


def agrees(term: str, values: Mapping[str, str]) -> bool:
    if " in (" in term or " notin (" in term:
        name, _, rest = term.partition(" ")
        word, _, listed = rest.partition(" (")
        found = values.get(name) in [value.strip() for value in listed.rstrip(")").split(",")]
        return found == (word == "in")
    if "!=" in term:
        name, _, value = term.partition("!=")
        return values.get(name) != value
    if "=" in term:
        name, value = term.replace("==", "=").split("=", 1)
        return values.get(name) == value
    return term.lstrip("!") in values if not term.startswith("!") else term[1:] not in values


def merged(before: Any, patch: Any) -> Any:
    """A merge patch (RFC 7386): null removes, objects are merged, all else replaces."""
    if not isinstance(patch, dict):
        return patch
    after = dict(before) if isinstance(before, dict) else {}
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = merged(after.get(name), value)
    return after


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
