"""MBeans over HTTP, by Jolokia's protocol."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from moldau.errors import MoldauError, NetworkError
from moldau.network.outgoing.web import Web, WebAnswer, check_url
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.tasks import SystemTasks
from moldau.platform.system.tasks import run as run_tasks

__all__ = ["BeanReader", "BeansError"]

NOT_FOUND: Final = ("InstanceNotFoundException", "AttributeNotFoundException")
AS_REGISTERED: Final = {"canonicalNaming": False, "ignoreErrors": True}
"""Names with their properties in the order in which Kafka writes them."""
ANSWER_SIZE_MAX: Final = 64 << 20
"""A node with tens of thousands of partitions has as many beans for each of some metrics."""

Attributes = dict[str, object]


class BeansError(MoldauError):
    """Jolokia is not there, or does not answer what was asked."""


class BeanReader:
    """Reads the beans at one address."""

    def __init__(self, url: str, login: str | None = None) -> None:
        """`login` is user=password."""
        try:
            check_url(url)
        except ValueError as error:
            raise BeansError(f"--jmx-url={url}: {error}") from None
        self.url = url
        self._headers = {"Content-Type": "application/json"}
        if login is not None:
            user, _, password = login.partition("=")
            basic = b64encode(f"{user}:{password}".encode()).decode()
            self._headers["Authorization"] = f"Basic {basic}"

    def read(self, queries: Iterable[str], wanted: Sequence[str] | None) -> dict[str, Attributes]:
        """Attributes by bean; those alone that are wanted, where some are."""
        requests: list[dict[str, object]] = []
        for query in queries:
            request: dict[str, object] = {"type": "read", "mbean": query, "config": AS_REGISTERED}
            if wanted is not None:
                request["attribute"] = list(wanted)
            requests.append(request)
        found: dict[str, Attributes] = {}
        for query, answer in zip(queries, self._answers(requests), strict=True):
            for bean, attributes in _beans_of(query, answer).items():
                found.setdefault(bean, {}).update(attributes)
        return found

    def _answers(self, requests: list[dict[str, object]]) -> list[Any]:
        body = json.dumps(requests).encode()
        try:
            answer = run_tasks(lambda tasks: self._post(tasks, body))
        except NetworkError as error:
            raise BeansError(f"Could not connect to JMX url: {self.url}. {error}") from None
        if answer.status != HTTPStatus.OK:
            raise BeansError(f"{self.url} answered with status {answer.status}")
        try:
            answers = json.loads(answer.body)
        except ValueError:
            answers = None
        if not isinstance(answers, list) or len(answers) != len(requests):
            raise BeansError(
                f"{self.url} is no page of Jolokia: its answer is none of that protocol"
            )
        return answers

    async def _post(self, tasks: SystemTasks, body: bytes) -> WebAnswer:
        network = SystemNetwork()
        try:
            web = Web(network=network, tasks=tasks, answer_size_max=ANSWER_SIZE_MAX)
            return await web.post(self.url, self._headers, body)
        finally:
            network.close()


def _beans_of(query: str, answer: Mapping[str, Any]) -> dict[str, Attributes]:
    """By name; nothing where there is nothing."""
    if answer.get("status") == HTTPStatus.OK:
        value = answer["value"]
        is_pattern = bool(value) and all(isinstance(one, dict) for one in value.values())
        return value if is_pattern else {query: value}
    error = str(answer.get("error", "no reason"))
    if any(one in str(answer.get("error_type")) for one in NOT_FOUND):
        return {}
    raise BeansError(f"{query}: {error}")
