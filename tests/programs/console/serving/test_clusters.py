"""Several clusters in one console: each address names one, and one that is gone is a sentence."""

from __future__ import annotations

import asyncio
import json

import pytest

from moldau.programs.console.serving.clusters import ClusterRouter
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.registry.logins import unauthorized
from tests.programs.console.running_console import OURS, RunningConsole


def routes_of(name):
    def shown(request):
        return Response(f"{name} has {request.parameters['topic']}".encode())

    def closed(request):
        raise unauthorized(f"log in at {name}")

    return Router([Route("GET", "/api/topics/{topic}", shown), Route("GET", "/api/closed", closed)])


ROUTER = ClusterRouter(
    {name: routes_of(name) for name in ("east 1", "west")}, lambda: Response(b"the names")
)


def answer(path, **query):
    request = Request("GET", path, {name: [text] for name, text in query.items()})
    handler, request.parameters = ROUTER.find("GET", path)

    async def answered():
        found = handler(request)
        return found if isinstance(found, Response) else await found

    return asyncio.run(answered())


def test_an_address_leads_to_the_routes_of_the_cluster_that_it_names():
    assert answer("/api/clusters/west/topics/a%2Fb").body == b"west has a/b"
    assert answer("/api/clusters/east%201/topics/a").body == b"east 1 has a"
    assert answer("/api/topics/a").body == b"east 1 has a"
    assert answer("/api/clusters").body == b"the names"
    with pytest.raises(HttpError, match="no cluster south; it has east 1, west"):
        ROUTER.find("GET", "/api/clusters/south/topics/a")


def test_an_address_of_a_page_without_a_cluster_becomes_one_of_the_first():
    found = answer("/ui/topics/a%2Fb", q="x y")
    assert found.status == 302
    assert found.headers["Location"] == "/ui/clusters/east%201/topics/a%2Fb?q=x%20y"
    assert answer("/ui").headers["Location"] == "/ui/clusters/east%201"
    assert answer("/ui/clusters").headers["Location"] == "/ui/clusters/east%201/clusters"
    assert b"/main.js" in answer("/ui/clusters/west/topics/a%2Fb/messages").body


def test_a_browser_is_asked_for_a_password_of_each_cluster():
    found = answer("/api/clusters/west/closed")
    assert (found.status, found.headers["WWW-Authenticate"]) == (401, 'Basic realm="west"')
    assert "log in at west" in json.loads(found.body)["message"]


@pytest.fixture(scope="module")
def several(console, tmp_path_factory):
    """Of which one is there, one is read-only, and one is not."""
    folder = tmp_path_factory.mktemp("several")
    path = folder / "application.yml"
    path.write_text(
        "kafka:\n  clusters:\n"
        f"    - {{name: here, bootstrapServers: '{console.bootstrap}'}}\n"
        f"    - {{name: kept, bootstrapServers: '{console.bootstrap}', readOnly: true}}\n"
        "    - {name: gone, bootstrapServers: '127.0.0.1:1', properties: "
        "{default.api.timeout.ms: 300, request.timeout.ms: 200}}\n"
    )
    running = RunningConsole(folder, "console", "--config", str(path), "--listen", "127.0.0.1:0")
    yield running
    running.stop()


def test_each_cluster_has_its_own_rules_and_the_api_names_them(several, console, topic):
    names = [(one["name"], one["is_read_only"]) for one in several.get("/clusters")]
    assert names == [("here", False), ("kept", True), ("gone", False)]
    assert several.get("/clusters/kept")["cluster"] == "kept"
    assert several.get(f"/clusters/kept/topics/{topic}")["name"] == topic
    wanted = {"topic": f"{topic}.2"}
    refused = several.refusal("POST", "/clusters/kept/changes/create-topic", wanted)
    assert refused[0] == 403
    status, _, _ = several.raw("POST", "/api/clusters/here/changes/create-topic", wanted, OURS)
    assert status == 200
    assert several.get("/clusters/here/audit")[0]["command"].endswith(f"{topic}.2")
    assert several.get("/clusters/kept/audit") == []


def test_a_cluster_that_is_gone_is_a_sentence_and_the_others_are_there(several):
    status, sentence = several.refusal("GET", "/clusters/gone/cluster")
    assert status == 500
    assert "127.0.0.1:1" in sentence
    assert len(several.get("/clusters/here/cluster")["brokers"]) == 1
    assert several.raw("GET", "/ui/clusters/gone/topics")[0] == 200


def test_the_document_of_a_cluster_has_its_own_paths(several):
    paths = several.get("/clusters/kept/openapi.json")["paths"]
    assert "/api/clusters/kept/topics/{topic}" in paths
    assert all(path.startswith("/api/clusters/kept") for path in paths)
