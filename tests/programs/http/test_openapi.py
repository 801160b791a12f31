"""A document has what the routes have, and what is declared about them."""

from __future__ import annotations

import pytest

from moldau.programs.http.messages import Response
from moldau.programs.http.openapi import Operation, document
from moldau.programs.http.routes import Route

ROUTES = [Route("POST", "/a/{name}", lambda _: Response())]
LINE = Operation("Make one", "object", ("what", "is?", "many#"), {"x": "string", "y": "array?"})


def test_parameters_and_the_body_have_their_types():
    found = document("T", "text/x", ROUTES, {("POST", "/a/{name}"): LINE})
    post = found["paths"]["/a/{name}"]["post"]
    assert [(one["name"], one["in"], one["schema"]["type"]) for one in post["parameters"]] == [
        ("name", "path", "string"),
        ("what", "query", "string"),
        ("is", "query", "boolean"),
        ("many", "query", "integer"),
    ]
    body = post["requestBody"]["content"]["text/x"]["schema"]
    assert (body["required"], body["properties"]["y"]) == (["x"], {"type": "array"})
    assert post["responses"]["200"]["content"] == {"text/x": {"schema": {"type": "object"}}}
    assert post["operationId"] == "post_a_name"


def test_a_route_without_a_line_makes_no_document():
    with pytest.raises(KeyError):
        document("T", "text/x", ROUTES, {})
