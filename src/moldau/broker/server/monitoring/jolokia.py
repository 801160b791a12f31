"""Jolokia's protocol, for reading: JMX over HTTP, for tools that know nothing else.

    GET /jolokia/read/kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec/Count
    POST /jolokia      {"type": "read", "mbean": "kafka.log:type=Log,*"}, or a list of such

`read`, `list`, `search` and `version` are answered; nothing can be written or executed. As Jolokia
does it, HTTP's status is 200 whatever comes out, and the body holds the status of each request.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any
from urllib.parse import unquote

from moldau.broker.metrics.beans import (
    Attributes,
    BadObjectName,
    Bean,
    BeanPattern,
    attributes_of,
    bean_of,
    value_of,
)
from moldau.broker.metrics.rates import Rates
from moldau.broker.metrics.registry import Registry
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks

__all__ = ["Jolokia"]

PROTOCOL = "7.2"
METRICS_PER_TURN = 200
"""Between two turns others are served."""
REQUESTS_MAX = 200
"""In one body."""
NOT_FOUND = "javax.management.InstanceNotFoundException"
NO_ATTRIBUTE = "javax.management.AttributeNotFoundException"
NOT_ALLOWED = "java.lang.SecurityException"
ILLEGAL = "java.lang.IllegalArgumentException"
_ESCAPED = re.compile(r"!(.)")
_PART = re.compile(r"(?:!.|[^/!])+")
"""Between two slashes, of which those with a `!` before them do not divide."""

JolokiaRequest = dict[str, Any]


class _Refused(Exception):
    """With Jolokia's status, and the name of the exception that Java would throw."""

    def __init__(self, status: int, error_type: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.error_type = error_type


class Jolokia:
    """Answers requests from a registry."""

    def __init__(self, registry: Registry, tasks: Tasks, clock: Clock, began_ns: int) -> None:
        """`began_ns` is when counting began."""
        self._registry = registry
        self._tasks = tasks
        self._clock = clock
        self._rates = Rates(began_ns)

    async def answer_get(self, path: str) -> bytes:
        """To what follows `/jolokia` in a path."""
        return json.dumps(await self._answer(_request_of(path))).encode()

    async def answer_post(self, body: bytes) -> bytes:
        """To one request in JSON, or to a list of them."""
        return json.dumps(await self._answers(body)).encode()

    async def _answers(self, body: bytes) -> object:
        try:
            requests = json.loads(body)
        except (ValueError, RecursionError) as wrong:
            return _refusal(_Refused(400, ILLEGAL, f"The body is no JSON: {wrong}"))
        if not isinstance(requests, list):
            return await self._answer(requests)
        if len(requests) > REQUESTS_MAX:
            reason = f"{len(requests)} requests in one body; {REQUESTS_MAX} are allowed"
            return _refusal(_Refused(400, ILLEGAL, reason))
        return [await self._answer(request) for request in requests]

    async def _answer(self, request: object) -> dict[str, Any]:
        answer: dict[str, Any] = {"request": request, "timestamp": self._clock.now_ms() // 1000}
        try:
            if not isinstance(request, dict):
                raise _Refused(400, ILLEGAL, "A request is an object with a type")
            return {**answer, "value": await self._value(request), "status": 200}
        except BadObjectName as wrong:
            refused = _Refused(400, "javax.management.MalformedObjectNameException", str(wrong))
            return {**answer, **_refusal(refused)}
        except _Refused as refused:
            return {**answer, **_refusal(refused)}

    async def _value(self, request: JolokiaRequest) -> object:
        kind = request.get("type")
        if kind == "read":
            return await self._read(request)
        if kind == "search":
            return sorted(
                _name_of(request, bean) for bean in await self._matching(_pattern_of(request))
            )
        if kind == "list":
            return _listed(await self._matching(BeanPattern("*", {}, and_others=True)))
        if kind == "version":
            return {"protocol": PROTOCOL, "agent": PROTOCOL, "info": {"product": "moldau"}}
        raise _Refused(403, NOT_ALLOWED, f"{kind!r} is not answered: metrics can only be read")

    async def _read(self, request: JolokiaRequest) -> object:
        pattern = _pattern_of(request)
        beans = await self._matching(pattern)
        if not beans:
            raise _Refused(404, NOT_FOUND, str(pattern))
        wanted = request.get("attribute")
        if not pattern.is_exact:
            chosen = {_name_of(request, bean): _chosen(has, wanted) for bean, has in beans.items()}
            return {name: attributes for name, attributes in chosen.items() if attributes}
        (attributes,) = beans.values()
        if not isinstance(wanted, str):
            return _chosen(attributes, wanted)
        if wanted not in attributes:
            raise _Refused(404, NO_ATTRIBUTE, f"No such attribute: {wanted}")
        return _as_json(attributes[wanted])

    async def _matching(self, pattern: BeanPattern) -> dict[Bean, Attributes]:
        found: dict[Bean, Attributes] = {}
        now_ns = self._clock.monotonic_ns()
        for count, (name, metric) in enumerate(self._registry.collect()):
            bean, attribute = bean_of(name)
            if pattern.matches(bean):
                attributes = found.setdefault(bean, {})
                if attribute is None:
                    attributes.update(attributes_of(name, metric, self._rates, now_ns))
                else:
                    attributes[attribute] = value_of(metric)
            if not count % METRICS_PER_TURN:
                await self._tasks.turn()
        return found


def _request_of(path: str) -> JolokiaRequest:
    """The request in a path: `/read/BEAN/ATTRIBUTE`."""
    parts = [_ESCAPED.sub(r"\1", part) for part in _PART.findall(unquote(path))] or ["version"]
    request: JolokiaRequest = {"type": parts[0]}
    if len(parts) > 1:
        request["mbean"] = parts[1]
    if len(parts) > 2:
        several = parts[2].split(",")
        request["attribute"] = several if len(several) > 1 else parts[2]
    return request


def _pattern_of(request: JolokiaRequest) -> BeanPattern:
    bean = request.get("mbean")
    if not isinstance(bean, str):
        raise _Refused(400, ILLEGAL, "mbean is missing: the object name of what is read")
    return BeanPattern.parse(bean)


def _name_of(request: JolokiaRequest, bean: Bean) -> str:
    """In the order of the keys, unless the request asks for names as they were registered."""
    config = request.get("config")
    is_canonical = not isinstance(config, dict) or config.get("canonicalNaming") is not False
    return bean.canonical if is_canonical else str(bean)


def _chosen(attributes: Attributes, wanted: object) -> dict[str, float | str | None]:
    names = [wanted] if isinstance(wanted, str) else wanted
    return {
        name: _as_json(value)
        for name, value in attributes.items()
        if not isinstance(names, list) or name in names
    }


def _listed(beans: dict[Bean, Attributes]) -> dict[str, Any]:
    domains: dict[str, Any] = {}
    for bean, attributes in beans.items():
        domains.setdefault(bean.domain, {})[bean.canonical.partition(":")[2]] = {
            "attr": {name: _described(value) for name, value in attributes.items()},
            "desc": "",
        }
    return domains


def _described(value: float | str) -> dict[str, object]:
    kinds = {int: "long", float: "double", str: "java.lang.String"}
    return {"type": kinds.get(type(value), "double"), "desc": "", "rw": False}


def _as_json(value: float | str) -> float | str | None:
    """JSON has no NaN: null is no number to a reader either."""
    return value if isinstance(value, str) or isfinite(value) else None


def _refusal(refused: _Refused) -> dict[str, Any]:
    return {
        "status": refused.status,
        "error_type": refused.error_type,
        "error": f"{refused.error_type} : {refused}",
    }
