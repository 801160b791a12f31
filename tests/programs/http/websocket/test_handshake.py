"""Handshakes, by the RFC's own example and by what it forbids."""

from __future__ import annotations

import pytest

from moldau.programs.http.messages import HttpError, Request, Upgrade
from moldau.programs.http.websocket.handshake import accept_of, upgraded

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
GOOD = {
    "upgrade": "websocket",
    "connection": "keep-alive, Upgrade",
    "sec-websocket-version": "13",
    "sec-websocket-key": KEY,
}


async def _nothing(_socket):
    pass


UPGRADE = Upgrade(_nothing, takes_messages=False)


def test_the_example_of_the_rfc_is_accepted_as_it_has_it():
    response = upgraded(Request("GET", "/", headers=GOOD), UPGRADE)
    assert response.status == 101
    assert response.headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    assert accept_of(KEY) == response.headers["Sec-WebSocket-Accept"]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"upgrade": "h2c"}, 426),
        ({"connection": "keep-alive"}, 426),
        ({"sec-websocket-version": "8"}, 426),
        ({"sec-websocket-key": "c2hvcnQ="}, 400),
        ({"sec-websocket-key": "not base64!"}, 400),
        ({"sec-websocket-key": ""}, 400),
    ],
)
def test_what_is_no_handshake_is_refused(changes, status):
    with pytest.raises(HttpError) as caught:
        upgraded(Request("GET", "/", headers=GOOD | changes), UPGRADE)
    assert caught.value.status == status


@pytest.mark.parametrize("more", [{"method": "HEAD"}, {"is_chunkable": False}])
def test_only_a_get_of_http_1_1_becomes_a_socket(more):
    given = {"method": "GET", "path": "/", "headers": GOOD} | more
    with pytest.raises(HttpError) as caught:
        upgraded(Request(**given), UPGRADE)
    assert caught.value.status == 426
