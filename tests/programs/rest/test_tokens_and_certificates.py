"""A token of the identity provider, or a certificate, is a user of the cluster by HTTP too."""

from __future__ import annotations

import json
import ssl
import time
from http.client import HTTPSConnection

import pytest

from tests.interop.running_node import running_node
from tests.judges.certificates import Certificates
from tests.judges.identity_provider import (
    AUDIENCE,
    ISSUER,
    IdentityProvider,
    claims_of,
    new_key,
    signed,
)
from tests.judges.logins import ADMIN, LISTENER, java_settings, node_settings, written
from tests.programs.rest.conftest import AUTHORIZED
from tests.programs.rest.running_rest import JSON, RunningRest

MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
RECORD = {"records": [{"value": "aGk="}]}
BINARY = "application/vnd.kafka.binary.v2+json"


class RunningHttps(RunningRest):
    """Asked with the certificate of an admin."""

    def __init__(self, folder, bootstrap, *flags, certificates):
        self._certificates = certificates
        super().__init__(folder, bootstrap, *flags)

    def raw(self, method, path, body=None, media_type=JSON, keys="admin", **headers):
        context = ssl.create_default_context(cafile=str(self._certificates.trusted))
        if keys is not None:
            context.load_cert_chain(self._certificates.folder / f"{keys}.pem")
        _, _, port = self.url.rpartition(":")
        link = HTTPSConnection("localhost", int(port), context=context)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        link.request(method, path, data, {"Content-Type": media_type, **headers})
        answer = link.getresponse()
        found = answer.status, dict(answer.headers), answer.read()
        link.close()
        return found


@pytest.fixture(scope="module")
def provider():
    with IdentityProvider() as provider:
        yield provider


@pytest.fixture(scope="module")
def proxy(tmp_path_factory, provider):
    """By HTTPS, before a node that takes passwords and tokens."""
    folder = tmp_path_factory.mktemp("tokens")
    certificates = Certificates(folder)
    certificates.issue("CN=server", ("localhost",))
    for name in (ADMIN, "carol", "eve"):
        certificates.issue(f"CN={name}")
    https = written(
        folder / "https.properties",
        {
            **certificates.pem_settings(folder / "server.pem"),
            "ssl.client.auth": "requested",
            "ssl.principal.mapping.rules": "RULE:^CN=(admin|carol)$/$1/",
        },
    )
    settings = node_settings(**AUTHORIZED) | {
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,OAUTHBEARER",
        "sasl.oauthbearer.jwks.endpoint.url": provider.keys_url,
        "sasl.oauthbearer.expected.issuer": ISSUER,
        "sasl.oauthbearer.expected.audience": AUDIENCE,
        f"{LISTENER}oauthbearer.sasl.jaas.config": f"{MODULE} required;",
    }
    client = written(folder / "client.properties", java_settings())
    with running_node(folder, **settings) as bootstrap:
        flags = ("--command-config", str(client), "--https-config", str(https), "--logins")
        running = RunningHttps(folder, bootstrap, *flags, certificates=certificates)
        yield running
        running.stop()


def given(proxy, user):
    """A topic to which the user may write."""
    topic = f"of-{user}"
    proxy.v3("POST", "topics", {"topic_name": topic, "partitions_count": 1})
    rule = {"host": "*", "pattern_type": "LITERAL", "permission": "ALLOW", "operation": "WRITE"}
    rule |= {"principal": f"User:{user}", "resource_type": "TOPIC", "resource_name": topic}
    assert proxy.v3("POST", "acls", rule)[0] == 201
    return topic


def test_the_user_of_a_token_is_the_principal_whose_rules_hold(proxy, provider):
    topic = given(proxy, "bob")
    token = provider.token("bob")
    shown = {"keys": None, "Authorization": f"Bearer {token}"}
    status, body = proxy.ask("POST", f"/topics/{topic}", RECORD, BINARY, **shown)
    assert (status, body["offsets"][0]["offset"]) == (200, 0)
    refused = proxy.ask("POST", f"/topics/{given(proxy, 'another')}", RECORD, BINARY, **shown)
    assert (refused[0], refused[1]["error_code"]) == (403, 40301)


def test_tokens_that_the_cluster_does_not_accept_are_refused(proxy, provider):
    past = int(time.time()) - 60
    tokens = [
        signed(new_key(), claims_of("bob")),
        provider.token("bob", aud="another"),
        provider.token("bob", exp=past),
        "opaque",
    ]
    for token in tokens:
        shown = {"keys": None, "Authorization": f"Bearer {token}"}
        status, body = proxy.ask("GET", "/topics", **shown)
        assert (status, body["error_code"]) == (401, 40101), body


def test_the_name_in_a_certificate_is_the_principal_whose_rules_hold(proxy):
    topic = given(proxy, "carol")
    status, body = proxy.ask("POST", f"/topics/{topic}", RECORD, BINARY, keys="carol")
    assert (status, body["offsets"][0]["offset"]) == (200, 0)
    assert proxy.ask("GET", "/topics", keys="carol")[1] == [topic]
    rules = proxy.ask("GET", f"/v3/clusters/{proxy.cluster}/acls", keys="carol")
    assert (rules[0], rules[1]["error_code"]) == (403, 40301)


def test_who_shows_nothing_or_a_name_without_a_rule_is_refused(proxy):
    for keys in (None, "eve"):
        status, body = proxy.ask("GET", "/topics", keys=keys)
        assert (status, body["error_code"]) == (401, 40101), body
