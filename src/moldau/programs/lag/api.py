"""Burrow's HTTP API, version 3: its paths, and bodies of its form.

Its settings are shown as far as they are here: one cluster, one kind of storage, no notifiers, for
which there are the alerts of Prometheus.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from moldau.client import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.http.json_bodies import json_body, json_response
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.lag.metrics import MEDIA_TYPE, metrics_text
from moldau.programs.lag.state import NO_OWNER, LagState
from moldau.programs.lag.statuses import GroupStatus, PartitionStatus, Status
from moldau.programs.lag.windows import Commit

__all__ = ["BurrowApi", "Served"]

Answering = Callable[[Request], Response]
JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
LEVELS: Final[Mapping[str, int]] = {
    "trace": logging.DEBUG,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "warn": logging.WARNING,
    "error": logging.ERROR,
    "fatal": logging.CRITICAL,
}
LOGGERS: Final = "moldau"
COORDINATORS: Final = ("storage", "evaluator", "cluster", "consumer", "notifier")
"""The parts that Burrow has, by which it sorts its settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What all routes of the API need."""

    cluster: str
    """The name by which paths have it."""
    host: str
    """The name of this machine, which Burrow repeats in every answer."""
    servers: list[str]
    refresh_ms: int
    state: LagState
    now_ms: Callable[[], int]
    is_ready: Callable[[], bool]


class BurrowApi:
    def __init__(self, served: Served) -> None:
        self._served = served
        self._state = served.state

    def routes(self) -> list[Route]:
        kafka = "/v3/kafka/{cluster}"
        group = f"{kafka}/consumer/{{group}}"
        found: dict[str, Answering] = {
            "/burrow/admin": self.alive,
            "/burrow/admin/ready": self.ready,
            "/metrics": self.metrics,
            "/v3/kafka": self.clusters,
            kafka: self.cluster,
            f"{kafka}/topic": self.topics,
            f"{kafka}/topic/{{topic}}": self.topic,
            f"{kafka}/topic/{{topic}}/consumers": self.groups_of_topic,
            f"{kafka}/consumer": self.groups,
            group: self.group,
            f"{group}/status": self.status,
            f"{group}/lag": self.lag,
            "/v3/config": self.config,
            "/v3/config/{coordinator}": self.modules,
            "/v3/config/{coordinator}/{name}": self.module,
            "/v3/admin/loglevel": self.level,
        }
        topic = f"{group}/topic/{{topic}}"
        changes: list[tuple[str, str, Answering]] = [
            ("DELETE", group, self.forget),
            ("DELETE", topic, self.forget),
            ("DELETE", f"{topic}/partition/{{partition}}", self.forget),
            ("POST", "/v3/admin/loglevel", self.set_level),
        ]
        asked = [("GET", pattern, handler) for pattern, handler in found.items()]
        return [
            Route(method, pattern, self._with_errors(handler))
            for method, pattern, handler in [*asked, *changes]
        ]

    def _with_errors(self, handler: Answering) -> Answering:
        """Refusals have Burrow's form."""

        def handle(request: Request) -> Response:
            try:
                return handler(request)
            except HttpError as error:
                about = _about(request, self._served.host)
                body = {"error": True, "message": str(error), "request": about}
                return json_response(body, JSON, error.status)

        return handle

    # The program itself.

    def alive(self, _request: Request) -> Response:
        return Response(b"GOOD", 200, TEXT)

    def ready(self, _request: Request) -> Response:
        if self._served.is_ready():
            return Response(b"READY", 200, TEXT)
        return Response(b"STARTING", 503, TEXT)

    def metrics(self, _request: Request) -> Response:
        text = metrics_text(self._served.cluster, self._state, self._served.now_ms())
        return Response(text, 200, MEDIA_TYPE)

    def level(self, request: Request) -> Response:
        number = logging.getLogger(LOGGERS).getEffectiveLevel()
        return self._found(
            request, "log level returned", level=logging.getLevelName(number).lower()
        )

    def set_level(self, request: Request) -> Response:
        name = str(json_body(request).get("level", "")).lower()
        if name not in LEVELS:
            raise HttpError(404, "unknown log level")
        logging.getLogger(LOGGERS).setLevel(LEVELS[name])
        return self._found(request, "set log level")

    # Clusters and topics.

    def clusters(self, request: Request) -> Response:
        return self._found(request, "cluster list returned", clusters=[self._served.cluster])

    def cluster(self, request: Request) -> Response:
        self._check_cluster(request, "cluster module not found")
        return self._found(request, "cluster module detail returned", module=self._cluster_module())

    def topics(self, request: Request) -> Response:
        self._check_cluster(request)
        return self._found(request, "topic list returned", topics=list(self._state.topics()))

    def topic(self, request: Request) -> Response:
        ends = self._ends(request)
        return self._found(request, "topic offsets returned", offsets=ends)

    def groups_of_topic(self, request: Request) -> Response:
        self._ends(request)
        topic = request.parameters["topic"]
        groups = [
            group
            for group, windows in sorted(self._state.groups.items())
            if any(part.topic == topic for part in windows)
        ]
        return self._found(request, "consumers of topic returned", consumers=groups)

    # Groups.

    def groups(self, request: Request) -> Response:
        self._check_cluster(request)
        return self._found(request, "consumer list returned", consumers=sorted(self._state.groups))

    def group(self, request: Request) -> Response:
        self._check_cluster(request, "cluster or consumer not found")
        name = request.parameters["group"]
        if name not in self._state.groups:
            raise HttpError(404, "cluster or consumer not found")
        return self._found(request, "consumer detail returned", topics=self._group_topics(name))

    def status(self, request: Request) -> Response:
        """Only the partitions that are not well are listed."""
        return self._status(request, lists_all=False)

    def lag(self, request: Request) -> Response:
        return self._status(request, lists_all=True)

    def forget(self, request: Request) -> Response:
        """What is known of a group, or of a part of it, as if it had never committed.

        As with Burrow it is no error that a group is not there: scripts may do it twice.
        """
        self._check_cluster(request, "cluster or consumer not found")
        name = request.parameters["group"]
        parts = [part for part in self._state.groups.get(name, ()) if _is_meant(part, request)]
        if not parts and "topic" in request.parameters:
            raise HttpError(404, "cluster or consumer not found")
        self._state.forget(name, *parts)
        return self._found(request, "consumer group removed")

    def _status(self, request: Request, *, lists_all: bool) -> Response:
        served = self._served
        name = request.parameters["group"]
        is_here = request.parameters["cluster"] == served.cluster
        found = self._state.status(name, served.now_ms()) if is_here else None
        known = GroupStatus(name, ()) if found is None else found
        greatest = known.max_lag
        status = {
            "cluster": request.parameters["cluster"],
            "group": name,
            "status": known.status.name,
            "complete": known.complete,
            "partitions": [
                _partition(one)
                for one in known.partitions
                if lists_all or one.status is not Status.OK
            ],
            "partition_count": len(known.partitions),
            "maxlag": None if greatest is None else _partition(greatest),
            "totallag": known.total_lag,
        }
        code = 404 if found is None else 200
        return self._found(request, "consumer status returned", code, status=status)

    def _group_topics(self, name: str) -> dict[str, list[object]]:
        """By topic the windows of its partitions, filled up in front, as Burrow has them."""
        found: dict[str, list[object]] = {}
        owners = self._state.owners.get(name, {})
        for part, window in sorted(self._state.groups[name].items()):
            row = found.setdefault(part.topic, [])
            while len(row) < part.partition:
                row.append({"offsets": [], "owner": "", "client_id": "", "current-lag": 0})
            missing = [None] * (self._state.rules.intervals - len(window.commits))
            owner = owners.get(part, NO_OWNER)
            row.append(
                {
                    "offsets": [*missing, *map(_commit, window.commits)],
                    "owner": owner.host,
                    "client_id": owner.client_id,
                    "current-lag": self._state.lag(part, window.last.offset) or 0,
                }
            )
        return found

    # Settings.

    def config(self, request: Request) -> Response:
        general = {"pidfile": "", "stdout-logfile": "", "access-control-allow-origin": ""}
        servers = {"default": {"address": self._served.host, "tls": "", "timeout": 300}}
        return self._found(
            request, "main config returned", general=general, logging={}, httpserver=servers
        )

    def modules(self, request: Request) -> Response:
        name = request.parameters["coordinator"]
        if name not in COORDINATORS:
            raise HttpError(404, "HTTP 404 Not Found")
        names = [] if name == "notifier" else [self._served.cluster]
        return self._found(request, f"{name} list returned", coordinator=name, modules=names)

    def module(self, request: Request) -> Response:
        kind, name = request.parameters["coordinator"], request.parameters["name"]
        if kind not in COORDINATORS or kind == "notifier" or name != self._served.cluster:
            raise HttpError(404, f"{kind} module not found")
        return self._found(request, f"{kind} module detail returned", module=self._modules()[kind])

    def _modules(self) -> dict[str, dict[str, object]]:
        rules, servers = self._state.rules, self._served.servers
        cluster = self._served.cluster
        return {
            "storage": {
                "class-name": "inmemory",
                "intervals": rules.intervals,
                "min-distance": rules.distance_ms // 1000,
                "expire-group": rules.expire_ms // 1000,
            },
            "evaluator": {"class-name": "caching", "expire-cache": 0},
            "cluster": self._cluster_module(),
            "consumer": {"class-name": "kafka", "cluster": cluster, "servers": servers},
        }

    def _cluster_module(self) -> dict[str, object]:
        seconds = self._served.refresh_ms // 1000
        return {
            "class-name": "kafka",
            "servers": self._served.servers,
            "topic-refresh": seconds,
            "offset-refresh": seconds,
        }

    # What answers have in common.

    def _check_cluster(self, request: Request, message: str = "cluster not found") -> None:
        if request.parameters["cluster"] != self._served.cluster:
            raise HttpError(404, message)

    def _ends(self, request: Request) -> list[int]:
        self._check_cluster(request, "cluster or topic not found")
        ends = self._state.topics().get(request.parameters["topic"])
        if ends is None:
            raise HttpError(404, "cluster or topic not found")
        return ends

    def _found(self, request: Request, message: str, code: int = 200, **fields: object) -> Response:
        body = {"error": False, "message": message, **fields}
        return json_response({**body, "request": _about(request, self._served.host)}, JSON, code)


def _about(request: Request, host: str) -> dict[str, Any]:
    return {"url": request.path, "host": host}


def _is_meant(part: TopicPartition, request: Request) -> bool:
    topic = request.parameters.get("topic", part.topic)
    number = request.parameters.get("partition", str(part.partition))
    return (part.topic, str(part.partition)) == (topic, number)


def _partition(status: PartitionStatus) -> dict[str, object]:
    return {
        "topic": status.part.topic,
        "partition": status.part.partition,
        "owner": status.owner,
        "client_id": status.client_id,
        "status": status.status.name,
        "start": _commit(status.commits[0]),
        "end": _commit(status.commits[-1]),
        "current_lag": status.lag,
        "complete": status.complete,
    }


def _commit(commit: Commit) -> dict[str, object]:
    return {
        "offset": commit.offset,
        "timestamp": commit.time_ms,
        "observedAt": commit.seen_ms,
        "lag": commit.lag,
    }
