"""What TLS adds to a link: who the peer is, and how handshakes fail. Its other promises are tested
with those of all links."""

import socket
import ssl
import subprocess

import pytest

from moldau.platform.ports.network import Address
from moldau.platform.ports.tls import ClientCertificates, KeyStore, TlsTerms
from moldau.platform.system.tls.reasons import PLAIN_CLIENT
from tests.judges.certificates import HOSTS, Certificates
from tests.platform.ports.both_networks import Owner, in_protected_system, pair

ANY_PORT = Address("127.0.0.1", 0)
REQUIRED = ClientCertificates.REQUIRED


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return Certificates(tmp_path_factory.mktemp("certificates"))


def keys(certificates, name="node", hosts=HOSTS, **more):
    return KeyStore("PEM", str(certificates.issue(name, hosts, **more)))


def trusted(certificates):
    return KeyStore("PEM", str(certificates.trusted))


def terms(certificates, **more):
    return TlsTerms(keys(certificates), trusted(certificates), **more)


async def greeting(tasks, network):
    """What goes wrong at both ends while a byte is sent each way."""
    called = []

    def take_over(link):
        called.append(Owner(tasks, link))
        return called[-1]

    listener = await network.listen(ANY_PORT, take_over)
    callers = []

    def call(link):
        callers.append(Owner(tasks, link))
        link.send(b"?")
        return callers[0]

    await network.connect(listener.address, call)
    while not (callers[0].reasons or (called and called[0].received)):
        await tasks.sleep(1)
    for _ in range(200):
        if not callers[0].reasons or network.failures:
            break
        await tasks.sleep(1)
    return called[0], callers[0], network.failures


@pytest.mark.parametrize("version", ["TLSv1.2", "TLSv1.3"])
def test_the_certificate_of_a_client_is_known_with_its_first_bytes(certificates, version):
    async def main(tasks, network):
        called, _, failures = await greeting(tasks, network)
        return called.link.peer_certificate, failures

    server = terms(certificates, client_certificates=REQUIRED, versions=(version,))
    client = TlsTerms(keys(certificates, "alice", ()), trusted(certificates))
    shown, failures = in_protected_system(main, server, client)
    assert b"alice" in shown
    assert failures == []


def test_a_client_without_a_certificate_has_none(certificates):
    async def main(tasks, network):
        called, _, _ = await greeting(tasks, network)
        return called.link.peer_certificate

    server = terms(certificates, client_certificates=ClientCertificates.REQUESTED)
    assert in_protected_system(main, server, TlsTerms(trusted=trusted(certificates))) is None


def reasons(server, client):
    async def main(tasks, network):
        _, caller, failures = await greeting(tasks, network)
        return failures[0] if failures else "", caller.reasons[0] if caller.reasons else ""

    return in_protected_system(main, server, client)


def test_a_required_certificate_that_is_missing_is_named_at_both_ends(certificates):
    server = terms(certificates, client_certificates=REQUIRED)
    here, there = reasons(server, TlsTerms(trusted=trusted(certificates)))
    assert here == "it showed no certificate, and one is required"
    assert there == "it wants a certificate, and none was shown"


def test_a_foreign_authority_is_named_at_both_ends(certificates, tmp_path):
    foreign = Certificates(tmp_path, "CN=Foreign")
    here, there = reasons(terms(certificates), TlsTerms(trusted=trusted(foreign)))
    assert here == "it does not trust the authority of the certificate that was shown to it"
    assert "its certificate is refused" in there


def test_an_expired_certificate_is_named_at_both_ends(certificates):
    server = terms(certificates, client_certificates=REQUIRED)
    old = keys(certificates, "old", (), earlier_days=30)
    here, there = reasons(server, TlsTerms(old, trusted(certificates)))
    assert here == "its certificate is refused: certificate has expired"
    assert there == "the certificate that was shown to it has expired"


@pytest.mark.parametrize("checks_name", [True, False])
def test_a_name_that_the_certificate_has_not_is_refused_where_names_are_checked(
    certificates, checks_name
):
    server = TlsTerms(keys(certificates, "elsewhere", ("elsewhere.example",)))
    client = TlsTerms(trusted=trusted(certificates), checks_name=checks_name)
    _, there = reasons(server, client)
    assert ("127.0.0.1" in there) is checks_name


def test_both_ends_report_that_no_version_is_shared(certificates):
    client = TlsTerms(trusted=trusted(certificates), versions=("TLSv1.2",))
    here, there = reasons(terms(certificates, versions=("TLSv1.3",)), client)
    assert here == "it speaks none of the versions of TLS that are enabled"
    assert there == "it speaks none of the versions of TLS that are enabled here"


def raw_failures(certificates, first_bytes, server=None):
    """What the other end gets, and what is reported, when these bytes come and then the end."""

    async def main(tasks, network):
        listener = await network.listen(ANY_PORT, lambda link: Owner(tasks, link))
        with socket.create_connection(listener.address) as raw:
            raw.setblocking(False)
            raw.send(first_bytes)
            if first_bytes:
                raw.shutdown(socket.SHUT_WR)
            await tasks.sleep(50)
            try:
                answer = raw.recv(100)
            except BlockingIOError:
                answer = b""
        await tasks.sleep(50)
        return answer, network.failures

    server = server or terms(certificates)
    return in_protected_system(main, server, TlsTerms(trusted=trusted(certificates)))


def test_plain_text_gets_no_answer_that_looks_like_a_frame(certificates):
    assert raw_failures(certificates, b"\0\0\0\x20\0\x12\0\x04") == (b"", [PLAIN_CLIENT])


def test_a_broken_off_handshake_is_reported(certificates):
    _, failures = raw_failures(certificates, b"\x16\x03\x01\x02\0\x01")
    assert failures == ["closed by the peer during the handshake of TLS"]


def test_who_comes_and_goes_without_a_byte_is_not_reported(certificates):
    assert raw_failures(certificates, b"") == (b"", [])


def renegotiating(address):
    """What OpenSSL's client prints when it is to renegotiate once it is connected."""
    command = ["openssl", "s_client", "-tls1_2", "-connect", str(address)]
    client = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
    )
    assert client.stdin is not None
    assert client.stdout is not None
    output = b""
    while b"Verify return code" not in output:
        output += client.stdout.readline()
    client.stdin.write(b"R\n")
    return output + client.communicate(timeout=30)[0]


def test_renegotiation_is_refused(certificates):
    """OpenSSL's own client asks for it; the connection ends, or goes on as it was."""

    async def main(tasks, network):
        listener = await network.listen(ANY_PORT, lambda link: Owner(tasks, link))
        output = await tasks.offload(lambda: renegotiating(listener.address))
        return output.decode(errors="replace")

    output = in_protected_system(main, terms(certificates), TlsTerms())
    assert "RENEGOTIATING" in output
    assert "no renegotiation" in output


def test_a_link_shows_itself(certificates):
    async def main(tasks, network):
        called, _, _ = await greeting(tasks, network)
        return repr(called.link)

    shown = in_protected_system(main, terms(certificates), TlsTerms(trusted=trusted(certificates)))
    assert shown.startswith("<TlsLink 127.0.0.1:")
    assert shown.endswith(": protected>")


def test_small_buffers_become_one_record_and_bytes_stay_in_order(certificates):
    async def main(tasks, network):
        caller, called = await pair(tasks, network)
        for number in range(300):
            caller.link.send(number.to_bytes(2, "big"), b"-", b"x" * number)
        caller.link.close()
        await called.is_over.wait()
        return bytes(called.received)

    expected = b"".join(number.to_bytes(2, "big") + b"-" + b"x" * number for number in range(300))
    client = TlsTerms(trusted=trusted(certificates))
    assert in_protected_system(main, terms(certificates), client) == expected


def test_garbage_after_the_handshake_ends_the_link(certificates):
    async def main(tasks, network):
        owners = []

        def take_over(link):
            owners.append(Owner(tasks, link))
            return owners[-1]

        listener = await network.listen(ANY_PORT, take_over)
        context = ssl.create_default_context(cafile=str(certificates.trusted))
        raw = socket.create_connection(listener.address)
        protected = await tasks.offload(
            lambda: context.wrap_socket(raw, server_hostname="127.0.0.1")
        )
        bare = socket.socket(fileno=protected.detach())
        bare.send(b"\x17\x03\x03\0\x20" + b"z" * 32)
        await owners[0].is_over.wait()
        bare.close()
        return owners[0].reasons

    found = in_protected_system(main, terms(certificates), TlsTerms())
    assert found == ["decryption failed or bad record mac"]
