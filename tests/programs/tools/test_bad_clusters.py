"""Servers that are no cluster: a sentence with the address, exit code 1, and no traceback.

In process, with `default.api.timeout.ms` short. Nothing listens at the one address; at the other
one a program answers every client as a web server does.
"""

from __future__ import annotations

import socketserver
import threading
from io import StringIO

import pytest

from tests.programs.tools.test_bad_input import DEAD, called

SOON = "default.api.timeout.ms=300\nrequest.timeout.ms=250\n"
CALLS = [
    "topics --bootstrap-server {at} --command-config {soon} --list",
    "topics --bootstrap-server {at} --command-config {soon} --create --topic t",
    "groups --bootstrap-server {at} --command-config {soon} --list",
    "get-offsets --bootstrap-server {at} --command-config {soon}",
    "broker-api-versions --bootstrap-server {at} --command-config {soon}",
    "lag -b {at} --command-config {soon} --group g",
    "export -b {at} --command-config {soon} --topic t -",
    "cat -b {at} -X default.api.timeout.ms=300 -m 0.3 -L",
]


class Answering(socketserver.BaseRequestHandler):
    """As a web server answers what is no request."""

    def handle(self) -> None:
        self.request.recv(1024)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture(scope="module")
def web():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("where", ["closed", "web"])
@pytest.mark.parametrize("words", CALLS)
def test_who_is_no_cluster_is_a_sentence(words, where, web, tmp_path):
    (tmp_path / "soon").write_text(SOON)
    out = StringIO()  # some of Kafka's tools say it there
    at = DEAD if where == "closed" else web
    code, text = called(words.format(at=at, soon=tmp_path / "soon").split(), out)
    text += out.getvalue()
    assert code == 1
    assert text.strip()
    assert "Traceback" not in text
    assert text.count("\n") <= 3
