"""Requests are found in bytes however these are cut, and what is no request ends the connection."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.programs.http.limits import Limits
from moldau.programs.http.messages import HttpError
from moldau.programs.http.parsing import RequestParser

LIMITS = Limits()
PLAIN = b"POST /a%2Fb/c?x=1&x=2&y HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = (
    b"PUT /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3\r\nabc\r\n2;name=value\r\nde\r\n0\r\nTrailer: x\r\n\r\n"
)


def parsed(*pieces, limits=LIMITS):
    parser, found = RequestParser(limits), []
    for piece in pieces:
        parser.feed(piece)
        while (request := parser.next_request()) is not None:
            found.append(request)
    return found


def test_a_request_has_its_path_undecoded_and_its_query_decoded():
    (request,) = parsed(PLAIN)
    assert (request.method, request.path, request.body) == ("POST", "/a%2Fb/c", b"hello")
    assert request.query == {"x": ["1", "2"], "y": [""]}
    assert request.keeps_alive


@given(st.lists(st.integers(1, 200), max_size=12))
def test_where_the_bytes_are_cut_does_not_matter(cuts):
    data = PLAIN + CHUNKED + PLAIN
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pieces = [data[a:b] for a, b in pairwise(edges)]
    assert [one.body for one in parsed(*pieces)] == [b"hello", b"abcde", b"hello"]


def test_a_request_is_found_byte_by_byte():
    data = CHUNKED + PLAIN
    assert len(parsed(*(data[at : at + 1] for at in range(len(data))))) == 2


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA : b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", 413),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n", 413),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcXY0\r\n\r\n", 400),
        (b"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET / HTTP/1.1" + 2 * b"\r\nTransfer-Encoding: chunked" + b"\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: b\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: b\rContent-Length: 5\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: b\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: " + b"b" * 900, 431),
        (b"GET /?" + b"a&" * 250 + b" HTTP/1.1\r\n\r\n", 414),
    ],
)
def test_what_is_no_request_or_too_large_is_refused(data, status):
    with pytest.raises(HttpError) as refused:
        parsed(data, limits=Limits(head_bytes_max=800, body_bytes_max=100))
    assert refused.value.status == status


def test_old_clients_and_those_that_ask_for_it_are_not_kept():
    (old,) = parsed(b"GET / HTTP/1.0\r\n\r\n")
    (leaving,) = parsed(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert not old.keeps_alive
    assert not old.is_chunkable
    assert not leaving.keeps_alive


def test_a_client_that_waits_for_leave_to_send_is_noticed():
    parser = RequestParser(Limits())
    parser.feed(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
    assert parser.next_request() is None
    assert parser.wants_continue
    parser.feed(b"x")
    assert parser.next_request() is not None
    assert not parser.has_begun


@given(st.lists(st.integers(1, 200), max_size=12))
def test_a_streamed_body_comes_in_pieces_and_what_follows_is_the_next_request(cuts):
    data = CHUNKED + PLAIN
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    parser = RequestParser(LIMITS, lambda request: request.path == "/p")
    bodies, streamed = [], b""
    for begin, end in pairwise(edges):
        parser.feed(data[begin:end])
        while True:
            while parser.is_streaming and (piece := parser.next_piece()):
                streamed += piece
            if parser.is_streaming or (request := parser.next_request()) is None:
                break
            bodies.append(request.body)
    assert (bodies, streamed) == ([b"", b"hello"], b"abcde")
