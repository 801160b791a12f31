"""HTTPS, asked by Python's own client; and what settings make none."""

from __future__ import annotations

import ssl
from http.client import HTTPSConnection
from threading import Thread

import pytest

from moldau.config.refusals import SettingError
from moldau.platform.ports.network import Address
from moldau.platform.ports.tls import ClientCertificates
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.tasks import run
from moldau.programs.http.https import https_network, https_terms
from moldau.programs.http.messages import Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.http.server import HttpServer
from tests.judges.certificates import Certificates

BODY = b"over TLS" * 50_000


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("https"))
    made.issue("CN=server", ("localhost",))
    made.issue("CN=alice")
    return made


def answered(request):
    assert request.site is not None
    return Response(request.site.encode() + BODY)


def asked(given, ask):
    """What `ask` came to with the port of a server that has these settings."""
    outcome = []

    async def main(tasks):
        network = SystemNetwork()
        clock = SystemClock()
        router = Router([Route("GET", "/", answered)])
        server = HttpServer(router, tasks, clock)
        await server.open(https_network(network, given, clock), Address("127.0.0.1", 0))
        thread = Thread(target=lambda: outcome.append(ask(server.address.port)))
        thread.start()
        await tasks.offload(thread.join)
        assert server.url == f"https://127.0.0.1:{server.address.port}"
        server.close()
        network.close()

    run(main)
    return outcome[0]


def get(certificates, port, keys=None):
    """The body, or the refusal."""
    context = ssl.create_default_context(cafile=str(certificates.trusted))
    if keys is not None:
        context.load_cert_chain(keys)
    connection = HTTPSConnection("localhost", port, context=context, timeout=60)
    try:
        connection.request("GET", "/")
        return connection.getresponse().read()
    except OSError as error:
        return error
    finally:
        connection.close()


def settings(certificates, **more):
    return certificates.pem_settings(certificates.folder / "server.pem") | more


def test_a_client_that_trusts_the_authority_reads_the_whole_body(certificates):
    body = asked(settings(certificates), lambda port: get(certificates, port))
    assert body.startswith(b"https://localhost:")
    assert body.endswith(BODY)


def test_a_certificate_may_be_required_of_clients(certificates):
    required = settings(certificates) | {"ssl.client.auth": "required"}

    def both(port):
        return get(certificates, port), get(certificates, port, certificates.folder / "alice.pem")

    without, with_one = asked(required, both)
    assert isinstance(without, OSError)
    assert with_one.endswith(BODY)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "HTTPS needs a certificate"),
        ({"ssl.keystore.locatoin": "a"}, "ssl.keystore.locatoin is no setting of HTTPS"),
        ({"ssl.keystore.type": "PEM", "ssl.keystore.location": "/none.pem"}, "/none.pem"),
        ({"ssl.client.auth": "perhaps"}, "ssl.client.auth"),
    ],
)
def test_what_makes_no_tls_is_refused(given, complaint):
    with pytest.raises(SettingError, match=complaint):
        asked(given, ask=None)


def test_the_settings_have_the_names_of_kafka():
    terms = https_terms({"ssl.keystore.type": "PEM", "ssl.keystore.location": "a.pem"})
    assert terms.client_certificates is ClientCertificates.IGNORED
    assert terms.keys is not None
    assert (terms.keys.kind, terms.keys.path) == ("PEM", "a.pem")
