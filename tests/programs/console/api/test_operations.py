"""The table of operations, and the document that is made of it."""

from moldau.programs.console.api.operations import Operation, Parameter, openapi, routes_of
from moldau.programs.http.messages import Response
from moldau.programs.http.routes import Router

REFUSED = ("/api/acls", "/api/role-bindings", "/api/search")
"""By a node without access rules; a search needs words."""
COUNT = Parameter("count", "integer", "how many")
TABLE = [
    Operation("GET", "/api/things/{name}", lambda request: Response(), "One", (COUNT,)),
    Operation("POST", "/api/things", lambda request: Response(), "Make", body={"name": "string"}),
]


def test_the_document_names_paths_parameters_and_bodies():
    paths = openapi(TABLE)["paths"]
    one = paths["/api/things/{name}"]["get"]
    assert [(two["name"], two["in"]) for two in one["parameters"]] == [
        ("name", "path"),
        ("count", "query"),
    ]
    body = paths["/api/things"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["name"]


def test_a_change_names_the_header_that_it_needs():
    (header,) = openapi(TABLE)["paths"]["/api/things"]["post"]["parameters"]
    assert (header["name"], header["required"]) == ("X-Moldau-Console", True)


def test_each_line_of_the_table_is_a_route():
    assert Router(routes_of(TABLE)).find("GET", "/api/things/a%2Fb")[1] == {"name": "a/b"}


def test_what_is_served_is_what_the_document_says(console):
    paths = console.get("/openapi.json")["paths"]
    plain = [path for path, one in paths.items() if "get" in one and "{" not in path]
    assert len(plain) > 10
    for path in plain:
        if path not in REFUSED:
            assert console.raw("GET", path)[0] == 200, path
