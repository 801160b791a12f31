"""A client that takes something else gets 406 before anything is done."""

import pytest

from moldau.programs.http.accepting import accepting, takes
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route

KINDS = ("application/vnd.x+json", "application/json")


@pytest.mark.parametrize(
    ("accepted", "fits"),
    [
        ("application/json", True),
        ("text/html, Application/JSON;q=0.5", True),
        ("text/html;q=0.9, */*;q=0.1", True),
        ("application/*", True),
        ("", True),
        ("text/html", False),
        ("text/*", False),
        ("application/xml", False),
    ],
)
def test_one_of_the_types_is_enough(accepted, fits):
    assert takes(accepted, KINDS) is fits


def test_a_route_is_not_asked_for_what_it_does_not_have():
    asked = []

    def handler(request):
        asked.append(request.path)
        return Response()

    route = accepting(Route("GET", "/", handler), KINDS)
    assert isinstance(route.handler(Request("GET", "/a")), Response)
    with pytest.raises(HttpError) as refused:
        route.handler(Request("GET", "/b", headers={"accept": "text/html"}))
    assert (refused.value.status, asked) == (406, ["/a"])
