"""Answers of Jolokia, read from a scripted page."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import ClassVar

import pytest

from moldau.programs.tools.kafka.bean_reading import BeanReader, BeansError


@pytest.fixture
def page():
    """A page, the answers that it gives, and the requests that came."""

    class Page(BaseHTTPRequestHandler):
        answers: ClassVar[list[bytes]] = []
        came: ClassVar[list[tuple[str | None, object]]] = []
        url: ClassVar[str]

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.came.append((self.headers["Authorization"], json.loads(body)))
            answer = self.answers.pop(0)
            self.send_response(200 if answer else 503)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Page)
    thread = Thread(target=server.serve_forever)
    thread.start()
    Page.url = f"http://127.0.0.1:{server.server_port}/jolokia"
    yield Page
    server.shutdown()
    thread.join()
    server.server_close()


def ok(value):
    return {"status": 200, "value": value}


def test_names_and_patterns_are_read_in_one_request(page):
    page.answers.append(
        json.dumps([ok({"Value": 1}), ok({"d:a=b": {"Count": 2}}), ok({})]).encode()
    )
    found = BeanReader(page.url, "me=s=t").read(["d:a=a", "d:*", "d:x=*"], ["Value", "Count"])
    assert found == {"d:a=a": {"Value": 1}, "d:a=b": {"Count": 2}, "d:x=*": {}}
    ((login, requests),) = page.came
    assert login == "Basic bWU6cz10"
    assert [request["attribute"] for request in requests] == [["Value", "Count"]] * 3


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "answered with status 503"),
        (b"<html>", "is no page of Jolokia"),
        (b"{}", "is no page of Jolokia"),
        (b"[]", "is no page of Jolokia"),
        (b'[{"status": 403, "error": "not you"}]', "d:a=b: not you"),
    ],
)
def test_what_is_no_answer_is_an_error_with_its_cause(page, answer, reason):
    page.answers.append(answer)
    with pytest.raises(BeansError, match=reason):
        BeanReader(page.url).read(["d:a=b"], None)


def test_a_bean_that_is_not_there_is_left_out(page):
    gone = {"status": 404, "error_type": "javax.management.InstanceNotFoundException"}
    page.answers.append(json.dumps([gone]).encode())
    assert BeanReader(page.url).read(["d:a=b"], None) == {}


def test_an_address_that_is_none_is_refused():
    with pytest.raises(BeansError, match="--jmx-url=here"):
        BeanReader("here")
