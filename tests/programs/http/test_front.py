"""Who may ask a server, and how often; what a browser is answered before it sends."""

from __future__ import annotations

from contextlib import suppress

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.http.front import KEYS_MAX, Front, Rates
from moldau.programs.http.messages import HttpError, Request, Response

PAGE = "https://shop.example"
PREFLIGHT = {"origin": PAGE, "access-control-request-method": "POST"}


def answered(front, method="GET", status=200, **headers):
    """The status and the headers."""
    request = Request(method, "/", headers={k.replace("_", "-"): v for k, v in headers.items()})
    response = front.before(request) or Response(status=status, headers={"ETag": "1"})
    front.after(request, response)
    return response.status, dict(response.headers)


def allowed(rates, key, count):
    found = 0
    with suppress(HttpError):
        for _ in range(count):
            rates.take(key)
            found += 1
    return found


def test_each_key_has_so_many_a_second_and_no_more():
    clock = SimulatedClock()
    rates = Rates(clock, 5)
    assert (allowed(rates, "a", 9), allowed(rates, "b", 9)) == (5, 5)
    clock.advance_ms(400)
    assert (allowed(rates, "a", 9), allowed(rates, "a", 9)) == (2, 0)
    clock.advance_ms(10_000)
    assert allowed(rates, "a", 9) == 5


def test_less_than_one_a_second_is_one_now_and_then():
    clock = SimulatedClock()
    rates = Rates(clock, 0.5)
    assert allowed(rates, "a", 2) == 1
    clock.advance_ms(1999)
    assert allowed(rates, "a", 1) == 0
    clock.advance_ms(2)
    assert allowed(rates, "a", 2) == 1


def test_what_is_kept_of_senders_is_bounded():
    rates = Rates(SimulatedClock(), 1)
    for number in range(KEYS_MAX + 10):
        rates.take(str(number))
    assert len(rates._left) == KEYS_MAX


def test_an_address_that_asks_too_often_is_refused_and_learns_when_to_come_again():
    front = Front(Rates(SimulatedClock(), 1))
    request = Request("GET", "/", peer="10.0.0.1")
    assert front.before(request) is None
    with pytest.raises(HttpError) as error:
        front.before(request)
    refused = Response(status=error.value.status)
    front.after(request, refused)
    assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
    assert front.before(Request("GET", "/", peer="10.0.0.2")) is None


def test_a_page_of_an_origin_that_is_named_may_ask_with_a_login():
    status, headers = answered(Front(origins=[PAGE]), origin=PAGE)
    assert (status, headers["Access-Control-Allow-Origin"], headers["ETag"]) == (200, PAGE, "1")
    assert (headers["Access-Control-Allow-Credentials"], headers["Vary"]) == ("true", "Origin")


def test_any_page_may_ask_where_that_is_wanted_but_without_cookies():
    _, headers = answered(Front(origins=["*"]), origin="https://else.example")
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in headers


@pytest.mark.parametrize(("origins", "given"), [([], {"origin": PAGE}), ([PAGE], {}),
    ([PAGE], {"origin": "https://else.example"})])  # fmt: skip
def test_others_are_answered_as_ever_which_their_browser_does_not_show(origins, given):
    assert answered(Front(origins=origins), **given) == (200, {"ETag": "1"})


def test_a_browser_that_asks_before_it_sends_is_answered_without_a_route():
    asked = {**PREFLIGHT, "access-control-request-headers": "authorization, x-trace"}
    front = Front(Rates(SimulatedClock(), 1), origins=[PAGE])
    for _ in range(3):
        status, headers = answered(front, "OPTIONS", **asked)
    assert status == 204
    assert headers["Access-Control-Allow-Headers"] == "authorization, x-trace"
    assert "PUT" in headers["Access-Control-Allow-Methods"]
    odd = {**PREFLIGHT, "access-control-request-headers": "a\r\nb"}
    _, headers = answered(front, "OPTIONS", **odd)
    assert headers["Access-Control-Allow-Headers"] == "Authorization, Content-Type, Accept"
    assert answered(Front(), "OPTIONS", 405, **PREFLIGHT)[0] == 405


def changes(front, method="POST", **headers):
    """Whether a request gets past it."""
    request = Request(method, "/", headers={k.replace("_", "-"): v for k, v in headers.items()})
    with suppress(HttpError):
        front.before(request)
        return True
    return False


@pytest.mark.parametrize(
    ("origins", "headers", "may"),
    [
        ([], {}, True),
        ([], {"origin": "https://else.example"}, False),
        ([], {"origin": "null", "host": "here.example"}, False),
        ([], {"origin": "http://here.example:8082", "host": "here.example:8082"}, True),
        ([], {"origin": PAGE, "host": "inner", "sec_fetch_site": "same-origin"}, True),
        ([], {"origin": PAGE, "host": "shop.example", "sec_fetch_site": "cross-site"}, False),
        ([], {"sec_fetch_site": "same-site"}, False),
        ([PAGE], {"origin": PAGE, "sec_fetch_site": "cross-site"}, True),
        ([PAGE], {"origin": "https://else.example"}, False),
        (["*"], {"origin": PAGE, "content_type": "application/json"}, True),
        (["*"], {"origin": PAGE, "content_type": "text/plain; a=b"}, False),
        (["*"], {"origin": PAGE}, False),
    ],
)
def test_a_page_of_another_origin_changes_nothing_with_a_login_that_the_browser_adds(
    origins, headers, may
):
    assert changes(Front(origins=origins), **headers) == may
    assert changes(Front(origins=origins), "GET", **headers)
