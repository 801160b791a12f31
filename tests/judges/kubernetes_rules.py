"""What an API server refuses in a new object, as far as Spark's driver could get it wrong.

The rules are those of the Kubernetes API's reference: names and labels by RFC 1123, quantities,
variables, ports, and mounts that lead to a volume.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.judges.kubernetes_objects import Refused

LABEL = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
SUBDOMAIN = re.compile(rf"{LABEL}(?:\.{LABEL})*")
DNS_LABEL = re.compile(LABEL)
WORD = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
QUANTITY = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?")
VARIABLE = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
PORT_NAME = re.compile(r"(?=.*[a-z])[a-z0-9](?:[-a-z0-9]{0,13}[a-z0-9])?")
RESTARTS = ("Always", "OnFailure", "Never")
NAME_MAX, MAP_MAX, LAST_PORT = 253, 1 << 20, 65_535
KINDS = {"pods": "Pod", "configmaps": "ConfigMap", "services": "Service"}


def check(resource: str, given: dict[str, Any]) -> None:
    """Return if it may be kept."""
    if resource not in KINDS or given.get("kind") != KINDS[resource]:
        raise Refused(400, "BadRequest", f"{given.get('kind')} is no object of {resource}")
    faults = [*_meta_faults(given["metadata"])]
    if resource == "pods":
        faults += _pod_faults(given["spec"])
    if resource == "configmaps" and sum(map(len, (given.get("data") or {}).values())) > MAP_MAX:
        faults.append("[]: Too long: may not be more than 1048576 bytes")
    if faults:
        what = f'{KINDS[resource]} "{given["metadata"].get("name")}" is invalid: '
        raise Refused(422, "Invalid", what + ", ".join(faults))


def _meta_faults(meta: dict[str, Any]) -> Iterator[str]:
    name = meta.get("name", "")
    if not SUBDOMAIN.fullmatch(name) or len(name) > NAME_MAX:
        yield f"metadata.name: Invalid value: {name!r}"
    for key, value in (meta.get("labels") or {}).items():
        prefix, slash, word = key.rpartition("/")
        if not word or not WORD.fullmatch(word) or (slash and not SUBDOMAIN.fullmatch(prefix)):
            yield f"metadata.labels: Invalid value: {key!r}"
        if not isinstance(value, str) or not WORD.fullmatch(value):
            yield f"metadata.labels: Invalid value: {value!r}"


def _pod_faults(spec: dict[str, Any]) -> Iterator[str]:
    if not spec.get("containers"):
        yield "spec.containers: Required value"
    if spec.get("restartPolicy", "Always") not in RESTARTS:
        yield f"spec.restartPolicy: Unsupported value: {spec['restartPolicy']!r}"
    if not WORD.fullmatch(spec.get("hostname") or "") or "." in (spec.get("hostname") or ""):
        yield f"spec.hostname: Invalid value: {spec['hostname']!r}"
    volumes = [volume["name"] for volume in spec.get("volumes") or []]
    for name in volumes:
        if not DNS_LABEL.fullmatch(name) or volumes.count(name) > 1:
            yield f"spec.volumes.name: Invalid value: {name!r}"
    for container in spec.get("containers") or []:
        yield from _container_faults(container, volumes)


def _container_faults(container: dict[str, Any], volumes: list[str]) -> Iterator[str]:
    if not DNS_LABEL.fullmatch(container.get("name", "")):
        yield f"spec.containers[0].name: Invalid value: {container.get('name')!r}"
    image = container.get("image") or ""
    if not image or image != image.strip():
        yield f"spec.containers[0].image: Required value, and not {image!r}"
    yield from _variable_faults(container.get("env") or [])
    for mount in container.get("volumeMounts") or []:
        if mount["name"] not in volumes:
            yield f"spec.containers[0].volumeMounts: Not found: {mount['name']!r}"
    yield from _port_faults(container.get("ports") or [])
    for kind in ("requests", "limits"):
        for name, quantity in ((container.get("resources") or {}).get(kind) or {}).items():
            if not QUANTITY.fullmatch(str(quantity)):
                yield f"spec.containers[0].resources.{kind}[{name}]: Invalid value: {quantity!r}"


def _variable_faults(variables: list[dict[str, Any]]) -> Iterator[str]:
    for variable in variables:
        if not VARIABLE.fullmatch(variable["name"]):
            yield f"spec.containers[0].env.name: Invalid value: {variable['name']!r}"
        if "value" in variable and "valueFrom" in variable:
            yield f"spec.containers[0].env: {variable['name']} has two values"


def _port_faults(ports: list[dict[str, Any]]) -> Iterator[str]:
    for port in ports:
        if not 0 < port["containerPort"] <= LAST_PORT:
            yield f"spec.containers[0].ports: Invalid value: {port['containerPort']}"
        if not PORT_NAME.fullmatch(port.get("name") or "a"):
            yield f"spec.containers[0].ports.name: Invalid value: {port['name']!r}"
