"""What a page of another site cannot do."""

import json

import pytest

from moldau.programs.console.serving.guard import GuardedRouter, ensure_same_site
from moldau.programs.http.messages import HttpError, PathError, Request, Response
from moldau.programs.http.routes import Route, Router

CHANGE = {"host": "127.0.0.1:8080", "x-moldau-console": "1"}


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "127.0.0.1:8080"},
        {**CHANGE, "origin": "http://evil.example"},
        {**CHANGE, "origin": "null"},
        {**CHANGE, "sec-fetch-site": "cross-site"},
        {**CHANGE, "host": "evil.example:8080"},
    ],
)
def test_a_change_from_elsewhere_is_refused(headers):
    with pytest.raises(HttpError) as refused:
        ensure_same_site(Request("POST", "/", headers=headers), only_loopback=True)
    assert refused.value.status == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "[::1]:8080"])
def test_a_change_from_the_page_itself_passes(host):
    headers = {**CHANGE, "host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
    ensure_same_site(Request("POST", "/", headers=headers), only_loopback=True)


def test_a_name_that_leads_to_loopback_reads_nothing():
    with pytest.raises(HttpError):
        ensure_same_site(Request("GET", "/", headers={"host": "evil.example"}), only_loopback=True)
    ensure_same_site(Request("GET", "/", headers={"host": "mine.example"}), only_loopback=False)


def test_every_response_says_what_a_page_may_load(console):
    for path in (
        "/ui/topics",
        "/static/any/main.js",
        "/api/topics",
        "/api/topics/no-such",
        "/none",
    ):
        policy = console.raw("GET", path)[1]["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_without_the_header_nothing_is_changed(console):
    headers = {"Content-Type": "application/json"}
    status, _, data = console.raw("POST", "/api/changes/create-topic", {"topic": "forged"}, headers)
    assert (status, "X-Moldau-Console" in json.loads(data)["message"]) == (403, True)


class _OfClusters(Router):
    """It knows which names lead to one."""

    def find(self, method, path):
        if path.startswith("/clusters/"):
            raise HttpError(404, "HTTP cluster is not known")
        return super().find(method, path)


def test_an_address_of_nothing_gets_the_way_to_all_and_other_refusals_keep_their_words():
    routes = [Route("GET", "/api/topics", lambda _request: Response())]
    router = GuardedRouter(_OfClusters(routes), only_loopback=True)
    with pytest.raises(HttpError, match=r"/api/openapi\.json names all") as nothing:
        router.find("GET", "/api/nowhere")
    assert (nothing.value.status, isinstance(nothing.value, PathError)) == (404, False)
    with pytest.raises(HttpError, match="HTTP cluster is not known"):
        router.find("GET", "/clusters/other")
