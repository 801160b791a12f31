"""Several clusters in one console: addresses name the cluster, and its own routes answer.

    /ui/clusters/{cluster}/topics/{topic}    a page, the same document for every cluster
    /api/clusters/{cluster}/topics/{topic}   what that cluster's routes have at /api/topics/{topic}
    /api/clusters                            the names, which need no login
    /ui, /ui/…                               leads to the page of the first cluster

Each cluster has clients, users, a registry, access rules and an audit of its own. Pages need no
login, because they hold nothing of a cluster: so one that cannot be reached, where no user can log
in, is still a page with a sentence, from which the others are reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps
from typing import Final
from urllib.parse import quote, unquote, urlencode

from moldau.programs.console.serving.pages import page_routes
from moldau.programs.http.messages import Handler, HttpError, Request, Response
from moldau.programs.http.routes import Router

__all__ = ["ClusterRouter"]

CLUSTERS: Final = "clusters"
UNAUTHORIZED: Final = 401


class ClusterRouter(Router):
    """In front of the routes of each cluster, by name; the first one is where `/ui` leads."""

    def __init__(self, routers: Mapping[str, Router], names: Callable[[], Response]) -> None:
        super().__init__(())
        self._routers = routers
        self._names = names
        self._first = next(iter(routers))
        self._pages = Router(page_routes())

    def find(self, method: str, path: str) -> tuple[Handler, Mapping[str, str]]:
        kind, *others = path.strip("/").split("/")
        if kind == "api":
            return self._data(others), {}
        if kind == "ui" and (others[:1] != [CLUSTERS] or len(others) == 1):
            return self._to_first, {}
        bare = "/".join(["ui", *others[2:]]) if kind == "ui" else path
        return self._pages.find(method, f"/{bare.strip('/')}")

    def _data(self, segments: list[str]) -> Handler:
        """Routes of the cluster that the path names."""
        if segments == [CLUSTERS]:
            return lambda _request: self._names()
        if segments[:1] != [CLUSTERS]:
            return self._inner(self._first, segments)
        return self._inner(unquote(segments[1]), segments[2:])

    def _inner(self, cluster: str, segments: list[str]) -> Handler:
        router = self._routers.get(cluster)
        if router is None:
            names = ", ".join(self._routers)
            raise HttpError(404, f"This console has no cluster {cluster}; it has {names}")
        path = "/".join(["/api", *segments])

        async def answered(request: Request) -> Response:
            request.path = path
            handler, request.parameters = router.find(request.method, path)
            try:
                answer = handler(request)
                return answer if isinstance(answer, Response) else await answer
            except HttpError as error:
                if error.status != UNAUTHORIZED or _shows_token(request):
                    raise
                return _asked(error, cluster)

        return answered

    def _to_first(self, request: Request) -> Response:
        """So that an address without a cluster becomes one that can be sent to a colleague."""
        _, *others = request.path.strip("/").split("/")
        rest = [CLUSTERS] if others == [CLUSTERS] else others
        place = "/".join(["/ui", CLUSTERS, quote(self._first, safe=""), *rest])
        query = urlencode(request.query, doseq=True, safe="/", quote_via=quote)
        headers = {"Location": f"{place}?{query}" if query else place}
        return Response(status=302, headers=headers)


def _shows_token(request: Request) -> bool:
    return request.headers.get("authorization", "").lower().startswith("bearer ")


def _asked(error: HttpError, cluster: str) -> Response:
    """With the cluster as the realm: a browser keeps a name and a password for each."""
    body = dumps({"error_code": error.code, "message": str(error)}).encode()
    headers = {"WWW-Authenticate": f'Basic realm="{quote(cluster)}"'}
    return Response(body, status=UNAUTHORIZED, headers=headers)
