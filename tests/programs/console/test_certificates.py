"""A browser that shows a certificate is a user of the cluster, whose access rules decide."""

from __future__ import annotations

import json
import re
import ssl
from http.client import HTTPSConnection

import pytest

from tests.interop.running_node import STOP_SECONDS_MAX, running_node
from tests.judges.certificates import Certificates
from tests.judges.logins import ADMIN, java_settings, node_settings, written
from tests.programs.console.running_console import OURS, RunningConsole
from tests.programs.rest.conftest import AUTHORIZED


class RunningHttps(RunningConsole):
    """Asked with a certificate."""

    PLACE = re.compile(r"The console is at https://(\S+) ")

    def __init__(self, folder, certificates, *command):
        self._certificates = certificates
        super().__init__(folder, *command)

    def as_user(self, keys, method, path, body=None, **headers):
        context = ssl.create_default_context(cafile=str(self._certificates.trusted))
        if keys is not None:
            context.load_cert_chain(self._certificates.folder / f"{keys}.pem")
        _, _, port = self.place.rpartition(":")
        link = HTTPSConnection("localhost", int(port), context=context, timeout=STOP_SECONDS_MAX)
        try:
            data = None if body is None else json.dumps(body).encode()
            link.request(method, f"/api{path}", data, {**OURS, **headers})
            answer = link.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            link.close()


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    certificates = Certificates(folder)
    certificates.issue("CN=server", ("localhost",))
    for name in (ADMIN, "carol", "eve"):
        certificates.issue(f"CN={name},O=Shop")
    https = written(
        folder / "https.properties",
        {
            **certificates.pem_settings(folder / "server.pem"),
            "ssl.client.auth": "requested",
            "ssl.principal.mapping.rules": "RULE:^CN=(admin|carol),O=Shop$/$1/",
        },
    )
    client = written(folder / "client.properties", java_settings())
    with running_node(folder, **node_settings(**AUTHORIZED)) as bootstrap:
        flags = ("--command-config", str(client), "--https-config", str(https), "--logins")
        servers = ("--bootstrap-server", bootstrap, "--listen", "127.0.0.1:0")
        running = RunningHttps(folder, certificates, "console", *servers, *flags)
        yield running
        running.stop()


def changed(console, keys, change, /, **given):
    return console.as_user(keys, "POST", f"/changes/{change}", given)


def test_the_name_in_a_certificate_is_the_principal_whose_rules_hold(console):
    for topic in ("open", "secret"):
        assert changed(console, ADMIN, "create-topic", topic=topic, partitions=1)[0] == 200
    rule = {"principal": "User:carol", "kind": "topic", "name": "open", "operation": "write"}
    assert changed(console, ADMIN, "add-acl", permission="allow", **rule)[0] == 200
    assert console.as_user("carol", "GET", "")[1]["user"] == "carol"
    status, shown = console.as_user("carol", "GET", "/topics")
    assert (status, [row[0] for row in shown["rows"]]) == (200, ["open"])
    assert changed(console, "carol", "produce", topic="open", value="hi")[0] == 200
    assert changed(console, "carol", "produce", topic="secret", value="hi")[0] == 403
    assert changed(console, "carol", "create-topic", topic="mine", partitions=1)[0] == 403
    audit = console.as_user("carol", "GET", "/audit")[1]
    assert ("carol", True) in {(one["user"], one["failure"] is None) for one in audit}


def test_a_change_still_needs_the_header_that_no_other_site_can_send(console):
    """A browser shows its certificate to every page that asks."""
    given = {"topic": "foreign", "partitions": 1}
    path = "/changes/create-topic"
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert console.as_user(ADMIN, "POST", path, given, **headers)[0] == 403


@pytest.mark.parametrize("keys", [None, "eve"])
def test_who_shows_nothing_or_a_name_without_a_rule_is_refused(console, keys):
    status, body = console.as_user(keys, "GET", "/topics")
    assert status == 401, body
