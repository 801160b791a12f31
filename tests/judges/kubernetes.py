"""A stand-in for the API server of Kubernetes, over HTTP on loopback.

It answers what Spark's client asks (fabric8's, over HTTP and, for watches, WebSockets) in the words
of the Kubernetes API: objects in namespaces with resource versions, lists by label, watches from a
version on, patches, deletes one by one and by label, access reviews, and every refusal as a
`Status`. Who asks may do what the manifest's role says, and nothing else. Each pod that is created
is run by `kubernetes_pods` as a process of this machine.

It is no judge of Kubernetes: scheduling, images, networks and volumes of a real cluster are beyond
it. `docs/kubernetes.md` says what was seen on a real one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.judges.kubernetes_objects import Objects, Refused, merged
from tests.judges.kubernetes_pods import Pods
from tests.judges.kubernetes_rules import check
from tests.judges.web_sockets import accept, text_frame

HOST = "127.0.0.1"
ROLE = Path(__file__).parents[2] / "container" / "spark" / "account.yml"
REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
VERSION = {"major": "1", "minor": "34", "gitVersion": "v1.34.0-stand-in"}
NAMESPACES = ("default", "streams")
PATCHES = ("application/merge-patch+json", "application/strategic-merge-patch+json")


class Kubernetes:
    """Runs until it is closed; so do its pods."""

    def __init__(
        self, folder: Path, images: Mapping[str, Mapping[str, str]], token: str | None = None
    ) -> None:
        self.asked: list[str] = []
        """Each request: its verb, and what it is about."""
        self.token = token
        self.objects = Objects()
        self.pods = Pods(folder, images, self.objects)
        self.allowed = allowed_by_role(ROLE.read_text())
        server = ThreadingHTTPServer((HOST, 0), type("Bound", (Answers,), {"kubernetes": self}))
        server.daemon_threads = True
        self._server = server
        self._thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        self.master = f"k8s://http://{HOST}:{server.server_port}"

    def close(self) -> None:
        self.pods.close()
        self.objects.close()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def allowed_by_role(manifest: str) -> set[tuple[str, str]]:
    """Verbs and resources of the role among these documents."""
    import yaml

    roles = [document for document in yaml.safe_load_all(manifest) if document["kind"] == "Role"]
    return {
        (verb, resource)
        for rule in roles[0]["rules"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


class Answers(BaseHTTPRequestHandler):
    """One connection of a client."""

    kubernetes: Kubernetes
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def do_PATCH(self) -> None:
        self._answer(self._patch)

    def do_DELETE(self) -> None:
        self._answer(self._delete)

    def _answer(self, deed: Any) -> None:
        parts = urlsplit(self.path)
        self.query = dict(parse_qsl(parts.query))
        self.body = self._read_body()
        try:
            self._know()
            if parts.path == "/version":
                return self._say(200, VERSION)
            if parts.path == REVIEWS:
                return self._say(201, self._reviewed())
            self._find(parts.path)
            deed()
        except Refused as refused:
            self._say(refused.code, refused.status)

    def _know(self) -> None:
        """Who shows no credentials is anonymous, and may do nothing."""
        if self.kubernetes.token is None or self._token() == self.kubernetes.token:
            return
        if self._token():
            raise Refused(401, "Unauthorized", "Unauthorized")
        raise Refused(403, "Forbidden", 'forbidden: User "system:anonymous" cannot do that')

    def _find(self, path: str) -> None:
        """What a path names: api, v1, namespaces, NAMESPACE, RESOURCE and perhaps NAME."""
        match path.strip("/").split("/"):
            case ["api", "v1", "namespaces", namespace, resource, *rest]:
                self.namespace, self.resource = namespace, resource
                self.name = rest[0] if rest else None
            case _:
                raise Refused(404, "NotFound", f"the server could not find {path}")
        if self.namespace not in NAMESPACES:
            raise Refused(404, "NotFound", f'namespaces "{self.namespace}" not found')

    def _require(self, verb: str) -> None:
        self.kubernetes.asked.append(f"{verb} {self.resource}")
        if (verb, self.resource) not in self.kubernetes.allowed:
            what = f'cannot {verb} resource "{self.resource}" in API group ""'
            whole = f'{self.resource} is forbidden: User "moldau-spark" {what}'
            raise Refused(403, "Forbidden", f'{whole} in the namespace "{self.namespace}"')

    def _get(self) -> None:
        objects = self.kubernetes.objects
        if self.query.get("watch") == "true":
            self._require("watch")
            return self._watch()
        if self.name is not None:
            self._require("get")
            return self._say(200, objects.get(self.resource, self.namespace, self.name))
        self._require("list")
        found, version = objects.select(self.resource, self.namespace, self.query)
        kind = {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": str(version)}}
        return self._say(200, {**kind, "items": found})

    def _post(self) -> None:
        self._require("create")
        check(self.resource, self.body)
        self._say(201, self.kubernetes.objects.add(self.resource, self.namespace, self.body))

    def _patch(self) -> None:
        self._require("patch")
        if self.headers["Content-Type"] not in PATCHES:
            raise Refused(415, "UnsupportedMediaType", f"{self.headers['Content-Type']}")
        assert self.name is not None
        before = self.kubernetes.objects.get(self.resource, self.namespace, self.name)
        after = merged(before, self.body)
        check(self.resource, after)
        self._say(200, self.kubernetes.objects.replace(self.resource, after))

    def _delete(self) -> None:
        objects = self.kubernetes.objects
        self._require("delete" if self.name else "deletecollection")
        if self.name:
            found = [objects.get(self.resource, self.namespace, self.name)]
        else:
            found, _ = objects.select(self.resource, self.namespace, self.query)
        for each in found:
            if self.resource == "pods":
                self.kubernetes.pods.delete(each)
            else:
                objects.remove(self.resource, each)
        done = {"apiVersion": "v1", "kind": "Status", "status": "Success", "metadata": {}}
        self._say(200, found[0] if self.name else done)

    def _reviewed(self) -> dict[str, Any]:
        asked = self.body["spec"]["resourceAttributes"]
        may = (asked["verb"], asked["resource"]) in self.kubernetes.allowed
        return {**self.body, "status": {"allowed": may}}

    def _watch(self) -> None:
        if self.headers.get("Upgrade", "").lower() != "websocket":
            raise Refused(400, "BadRequest", "this stand-in shows changes over WebSockets alone")
        self.send_response(101)
        for name, value in accept(self.headers["Sec-WebSocket-Key"]).items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        try:
            for event in self._events():
                self.wfile.write(text_frame(json.dumps(event)))
        except OSError:
            return  # the watcher has gone

    def _events(self) -> Iterator[dict[str, Any]]:
        return self.kubernetes.objects.changes(self.resource, self.namespace, self.query)

    def _read_body(self) -> Any:
        size = int(self.headers.get("Content-Length") or 0)
        return json.loads(self.rfile.read(size)) if size else {}

    def _token(self) -> str:
        return str(self.headers.get("Authorization", "")).removeprefix("Bearer ")

    def _say(self, code: int, body: Mapping[str, Any]) -> None:
        written = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def log_message(self, format: str, *values: object) -> None:  # noqa: A002 - the base's name
        """Nothing: `asked` has it."""
