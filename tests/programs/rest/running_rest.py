"""A proxy as a process of its own, and how it is asked."""

from __future__ import annotations

import http.client
import json

from tests.interop.registry.running_registry import START_SECONDS_MAX, RunningRegistry

JSON = "application/json"


class RunningRest(RunningRegistry):
    """Started when it is made; `stop` asks it to end."""

    PROGRAM = "rest"

    def __init__(self, folder, bootstrap, *flags, name="rest", authorization=None):
        self._own = {} if authorization is None else {"Authorization": authorization}
        super().__init__(folder, bootstrap, *flags, name=name)
        self.cluster = self.get("/v3/clusters")["data"][0]["cluster_id"]

    def ask(self, method, path, body=None, media_type=JSON, **headers):
        """The status and the body: JSON as such, `reports` has several of them."""
        status, _, data = self.raw(method, path, body, media_type, **headers)
        return status, json.loads(data) if data else None

    def raw(self, method, path, body=None, media_type=JSON, **headers):
        """The status, the headers and the bytes."""
        host, _, port = self.url.removeprefix("http://").rpartition(":")
        link = http.client.HTTPConnection(host, int(port), timeout=START_SECONDS_MAX)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            link.request(method, path, data, {"Content-Type": media_type, **self._own, **given})
            answer = link.getresponse()
            return answer.status, dict(answer.headers), answer.read()
        finally:
            link.close()

    def get(self, path):
        status, body = self.ask("GET", path)
        assert status == 200, (path, status, body)
        return body

    def v3(self, method, path, body=None):
        """Below the cluster."""
        return self.ask(method, f"/v3/clusters/{self.cluster}/{path}", body)

    def code(self, *call):
        """The status and the code of a refusal of v3."""
        status, body = self.v3(*call)
        assert body.keys() == {"error_code", "message"}, body
        return status, body["error_code"]

    def reports(self, topic, body):
        """Of records that are sent by v3."""
        path = f"/v3/clusters/{self.cluster}/topics/{topic}/records"
        status, _, data = self.raw("POST", path, body)
        assert status == 200, data
        return [json.loads(line) for line in data.splitlines()]
